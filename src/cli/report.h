/* The subcommand report. */
#ifndef GRIDLOCK_CLI_REPORT_H
#define GRIDLOCK_CLI_REPORT_H

#include <argp.h>

extern const struct argp report_argp;

int command_report(int count, char **arguments);

#endif
