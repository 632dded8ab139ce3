/* gridlock explain: why a launch failed. */
#ifndef GRIDLOCK_CLI_EXPLAIN_H
#define GRIDLOCK_CLI_EXPLAIN_H

int command_explain(int count, char **arguments);

#endif
