/*
 * The subcommands.
 *
 * How an option table names an argument, which completions go by (cli/complete.c):
 *   a|b|c     one of these words; SELECTOR behind them may be something else
 *   any       this word
 *   DIR, RUN or BASE, FILE, LIBRARY, SCENARIO    a folder, a run file, a file, a library, a scenario
 *   X[:Y]     X, which Y may follow
 *   X,...     several, with commas
 *   X...      the option, or the operand, may be given several times
 */
#pragma once

/* Returns the exit status; arguments[0] is the command's name, for messages. */
typedef int command_function(int count, char **arguments);

command_function command_audit, command_certify, command_check, command_compare, command_demo, command_devices,
    command_emit, command_explain, command_limits, command_list, command_litmus, command_merge, command_progress,
    command_prove, command_replay, command_report, command_resume, command_run, command_runs, command_try,
    command_watch, command_worker;

/* What may stand on their command lines (cli/options.h). */
extern const struct command_line audit_line, certify_line, check_line, compare_line, demo_line, devices_line, emit_line,
    explain_line, limits_line, list_line, litmus_words, merge_line, progress_line, prove_line, replay_line, report_line,
    resume_line, run_line, runs_line, try_line, watch_line;

struct command {
    const char *name; /* NULL ends the table */
    command_function *run;
    const struct command_line *line; /* NULL, as is `purpose`, for help, version and what is for internal use */
    const char *purpose;
};

/*
 * gridlock complete WORD...: prints for shells what the last word of a command line can become. The first line says
 * which files: "folders", "files SUFFIX", or nothing. Each other line has a word, and behind a tab its meaning, if any.
 * Returns the exit status.
 */
int complete(const struct command *commands, int count, char **arguments);

/*
 * gridlock describe [COMMAND | rst] < TEMPLATE: fills a template of packaging/manual for the build: of a manual page of
 * this command, or of all commands; or, with rst, of a part of the manual. gridlock describe json: prints the schema
 * of stored facts. Returns the exit status.
 */
int describe(const struct command *commands, int count, char **arguments);
