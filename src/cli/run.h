/* gridlock run. */
#ifndef GRIDLOCK_CLI_RUN_H
#define GRIDLOCK_CLI_RUN_H

int command_run(int count, char **arguments);

#endif
