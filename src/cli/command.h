/*
 * A subcommand, as the table in main.c has it.
 *
 * What its option table puts in an argument's place is shown by --help, and completions go by it (packaging/completion):
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

#endif
