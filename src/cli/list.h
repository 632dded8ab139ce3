/* gridlock list. */
#ifndef GRIDLOCK_CLI_LIST_H
#define GRIDLOCK_CLI_LIST_H

#include <argp.h>

extern const struct argp list_argp;

int command_list(int count, char **arguments);

#endif
