/* A subcommand, as the table in main.c has it. */
#ifndef GRIDLOCK_CLI_COMMAND_H
#define GRIDLOCK_CLI_COMMAND_H

#include <argp.h>

struct command {
    const char *name;
    int (*run)(int count, char **arguments);
    const char *purpose;     /* NULL: not for people */
    const struct argp *argp; /* what it parses its arguments with; for what describes them */
};

#endif
