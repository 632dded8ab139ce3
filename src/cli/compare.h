/* gridlock compare: what changed between two runs. */
#ifndef GRIDLOCK_CLI_COMPARE_H
#define GRIDLOCK_CLI_COMPARE_H

int command_compare(int count, char **arguments);

#endif
