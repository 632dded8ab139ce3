/* gridlock run. */
#ifndef GRIDLOCK_CLI_RUN_H
#define GRIDLOCK_CLI_RUN_H

#include <argp.h>

extern const struct argp run_argp;

int command_run(int count, char **arguments);

#endif
