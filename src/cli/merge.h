/* gridlock merge: the union of run files. */
#ifndef GRIDLOCK_CLI_MERGE_H
#define GRIDLOCK_CLI_MERGE_H

#include <argp.h>

extern const struct argp merge_argp;

int command_merge(int count, char **arguments);

#endif
