/* gridlock explain: why a launch failed. */
#ifndef GRIDLOCK_CLI_EXPLAIN_H
#define GRIDLOCK_CLI_EXPLAIN_H

#include <argp.h>

extern const struct argp explain_argp;
int command_explain(int count, char **arguments);

#endif
