/*
 * The subcommands.
 *
 * What an option table puts in an argument's place is shown by --help, and completions go by it (packaging/completion):
 *   a|b|c     one of these words; a SELECTOR behind them may be something else
 *   any       this word
 *   DIR, RUN or BASE, FILE, LIBRARY, SCENARIO    a folder, a run file, a file, a library, a scenario
 *   X[:Y]     X, which Y may follow
 *   X,...     several, with commas
 *   X...      the option, or the operand, may be given several times
 */
#pragma once

/* Returns the exit status; arguments[0] is the command's name, for messages. */
typedef int command_function(int count, char **arguments);

command_function command_audit, command_check, command_compare, command_demo, command_devices, command_explain,
    command_limits, command_list, command_litmus, command_merge, command_progress, command_report, command_resume,
    command_run, command_runs, command_worker;
