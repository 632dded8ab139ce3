/* gridlock check. */
#ifndef GRIDLOCK_CLI_CHECK_H
#define GRIDLOCK_CLI_CHECK_H

#include <argp.h>

extern const struct argp check_argp;

int command_check(int count, char **arguments);

#endif
