/* gridlock limits. */
#ifndef GRIDLOCK_CLI_LIMITS_H
#define GRIDLOCK_CLI_LIMITS_H

#include <argp.h>

extern const struct argp limits_argp;

int command_limits(int count, char **arguments);

#endif
