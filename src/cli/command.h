/*
 * The subcommands, and what the table in main.c says of each.
 *
 * What an option table puts in an argument's place is shown by --help, and completions go by it (packaging/completion):
 *   a|b|c     one of these words; a SELECTOR behind them may be something else
 *   any       this word
 *   DIR, RUN or BASE, FILE, LIBRARY, SCENARIO    a folder, a run file, a file, a library, a scenario
 *   X[:Y]     X, which Y may follow
 *   X,...     several, with commas
 *   X...      the option, or the operand, may be given several times
 */
#ifndef GRIDLOCK_CLI_COMMAND_H
#define GRIDLOCK_CLI_COMMAND_H

struct command {
    const char *name;
    int (*run)(int count, char **arguments);
    const char *purpose; /* NULL: not for people */
};

int command_check(int count, char **arguments);
int command_compare(int count, char **arguments);
int command_devices(int count, char **arguments);
int command_explain(int count, char **arguments);
int command_limits(int count, char **arguments);
int command_list(int count, char **arguments);
int command_litmus(int count, char **arguments);
int command_merge(int count, char **arguments);
int command_progress(int count, char **arguments);
int command_report(int count, char **arguments);
int command_resume(int count, char **arguments);
int command_run(int count, char **arguments);
int command_worker(int count, char **arguments); /* its arguments come from the supervisor, not from people */

#endif
