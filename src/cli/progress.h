/* gridlock progress: who may wait for whom, by litmus tests. */
#ifndef GRIDLOCK_CLI_PROGRESS_H
#define GRIDLOCK_CLI_PROGRESS_H

int command_progress(int count, char **arguments);

#endif
