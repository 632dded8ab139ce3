/* The subcommand report. */
#ifndef GRIDLOCK_CLI_REPORT_H
#define GRIDLOCK_CLI_REPORT_H

int command_report(int count, char **arguments);

#endif
