/* gridlock progress: who may wait for whom, by litmus tests. */
#ifndef GRIDLOCK_CLI_PROGRESS_H
#define GRIDLOCK_CLI_PROGRESS_H

#include <argp.h>

extern const struct argp progress_argp;

int command_progress(int count, char **arguments);

#endif
