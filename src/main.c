/* gridlock: the table of subcommands. */

#include "base/error.h"
#include "base/nearest.h"
#include "base/source.h"
#include "base/trace.h"
#include "base/words.h"
#include "cli/command.h"
#include "cli/elsewhere.h"
#include "cli/glossary.h"
#include "cli/options.h"
#include "cli/output_file.h"
#include "core/text.h"
#include "format/escape.h"
#include "host/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static command_function command_complete, command_describe, command_help, command_version;

static const struct command commands[] = {
    {"demo", command_demo, &demo_line, "show a stall in a minute: what happens, why, and what helps"},
    {"devices", command_devices, &devices_line, "show devices and what they offer for synchronization"},
    {"limits", command_limits, &limits_line, "measure how many work-groups are resident and may synchronize"},
    {"run", command_run, &run_line, "run scenarios: which idioms are safe up to how many groups"},
    {"progress", command_progress, &progress_line, "test who may wait for whom: which progress models a device breaks"},
    {"audit", command_audit, &audit_line, "measure whether a driver keeps what it promises"},
    {"prove", command_prove, &prove_line, "compute which promise of progress a kernel needs, from its source"},
    {"try", command_try, &try_line, "launch a kernel as it is: with how many groups it ends"},
    {"replay", command_replay, &replay_line, "launch once more what a watched program has launched"},
    {"watch", command_watch, &watch_line, "say why a program that hangs does: which kernel, which call"},
    {"emit", command_emit, &emit_line, "write a barrier, and what launches it, for programs of your own"},
    {"certify", command_certify, &certify_line, "say with how many groups a kernel is safe on a device, with hashes"},
    {"resume", command_resume, &resume_line, "continue a run that was interrupted, killed or stopped"},
    {"merge", command_merge, &merge_line, "merge run files: shards, devices, drivers"},
    {"compare", command_compare, &compare_line, "show what changed between two runs: regressions, fixes, limits"},
    {"explain", command_explain, &explain_line, "explain why a launch failed: who waits for whom, and what helps"},
    {"report", command_report, &report_line, "print a run file in any format: text, JSON, JUnit, TAP, CSV ..."},
    {"runs", command_runs, &runs_line, "list the run files of earlier runs, and remove old ones"},
    {"list", command_list, &list_line, "list scenarios and kernels, and what each teaches"},
    {"check", command_check, &check_line, "check scenario files"},
    {"litmus", command_litmus, &litmus_words, "judge litmus tests: which progress models guarantee their end"},
    {"help", command_help, NULL, NULL},
    {"version", command_version, NULL, NULL},
    {"worker", command_worker, NULL, NULL},
    {"complete", command_complete, NULL, NULL},
    {"describe", command_describe, NULL, NULL},
    {0},
};

static void print_help(FILE *out)
{
    fputs("Usage: gridlock COMMAND [OPTION...]\n"
          "Measures how many OpenCL work-groups may wait for each other, and for whom.\n\n",
          out);
    for (size_t i = 0; commands[i].name != NULL; ++i)
        if (commands[i].purpose != NULL)
            fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].purpose);
    fputs("\nFor more, see \"gridlock COMMAND --help\".\n\"gridlock help words\" explains the words used here, and\n"
          "\"gridlock help WORD\" one of them.\n",
          out);
}

/*
 * A file that is opened must never become descriptor 0, 1 or 2. Each of these that is closed is opened such that its
 * use fails: what cannot be read or written must not seem to have been.
 */
static void keep_standard_descriptors(void)
{
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor)
        if (fcntl(descriptor, F_GETFD) == -1)
            (void)open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* A command's results must have been written, too, as far as somebody reads them: "| head" has seen what it wants. */
static int check_output(int status)
{
    const char *name;
    const int failure = output_end(&name);
    if (failure == 0 || failure == EPIPE || status == STATUS_HARNESS)
        return status; /* a failure of the harness has been reported, be it this one */
    escape_each(escape_text, stderr, "gridlock: cannot write the results to ", name, ": ", strerror(failure), "\n",
                NULL);
    return status == STATUS_OK || status == STATUS_SURPRISE ? STATUS_HARNESS : status;
}

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; commands[i].name != NULL; ++i)
        if (strcmp(name, commands[i].name) == 0)
            return &commands[i];
    return NULL;
}

/* `nearest` has tried what else may have been meant. */
static int refuse_word(const char *what, struct nearest nearest, const char *more)
{
    char meant[NEAREST_TEXT];

    for (size_t i = 0; commands[i].name != NULL; ++i)
        if (commands[i].purpose != NULL)
            nearest_try(&nearest, commands[i].name);
    fprintf(stderr, "gridlock: %s \"", what);
    escape_text(stderr, nearest.word);
    fprintf(stderr, "\"%s (%s)\n", nearest_print(&nearest, meant), more);
    return STATUS_USAGE;
}

static bool is_call_for_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static bool is_call_for_version(const char *word)
{
    return strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0;
}

static int refuse_help(const char *word)
{
    struct nearest nearest = nearest_begin(word);

    glossary_try(&nearest, help_pages[0].text);
    return refuse_word("no help on", nearest,
                       "\"gridlock help\" lists the commands, \"gridlock help words\" explains words");
}

/*
 * The commands, a page of help by its name, what a command says by --help, or what words mean: "run", but "run file".
 */
static int command_help(int count, char **arguments)
{
    char name[64], word[256] = "";

    if (count < 2 || is_call_for_help(arguments[1])) {
        print_help(stdout);
        return STATUS_OK;
    }
    for (const struct source_file *page = help_pages; page->name != NULL; ++page)
        if (count == 2 && strcmp(arguments[1], page->name) == 0) {
            fputs(page->text, stdout);
            return STATUS_OK;
        }
    for (int i = 1; i < count; ++i)
        text_list(word, sizeof word, " ", "%s", arguments[i]);
    if (count > 2 && glossary_print(stdout, help_pages[0].text, word))
        return STATUS_OK;
    const struct command *command = find_command(arguments[1]);
    if (command != NULL && command->purpose != NULL) {
        snprintf(name, sizeof name, "gridlock %s", command->name);
        return command->run(2, (char *[]){name, "--help", NULL});
    }
    return glossary_print(stdout, help_pages[0].text, word) ? STATUS_OK : refuse_help(word);
}

static int command_complete(int count, char **arguments)
{
    return complete(commands, count, arguments);
}

static int command_describe(int count, char **arguments)
{
    return describe(commands, count, arguments);
}

static int command_version(int count, char **arguments)
{
    if (count > 2 || (count == 2 && !is_call_for_version(arguments[1]) && !is_call_for_help(arguments[1]))) {
        fputs("gridlock: version takes no arguments\n", stderr);
        return STATUS_USAGE;
    }
    puts("gridlock " GRIDLOCK_VERSION);
    return STATUS_OK;
}

/* The only command among the words; 0: there is none, or more than one. */
static int find_only_command(int count, char **words)
{
    int found = 0;

    for (int i = 1; i < count; ++i) {
        const struct command *command = find_command(words[i]);
        if (command == NULL || command->purpose == NULL)
            continue;
        if (found != 0)
            return 0;
        found = i;
    }
    return found;
}

/* Options come behind the command; says how it is meant where that is plain. */
static int refuse_option(int count, char **arguments)
{
    const int at = find_only_command(count, arguments);
    struct nearest nearest = nearest_begin(arguments[1]);

    if (at == 0) {
        nearest_try(&nearest, "--help");
        nearest_try(&nearest, "--version");
        return refuse_word("expected a command before option", nearest, "\"gridlock --help\" lists all");
    }
    char *const command = arguments[at];
    memmove(arguments + 2, arguments + 1, (size_t)(at - 1) * sizeof *arguments);
    arguments[1] = command;
    char *meant = words_join(arguments + 1, (size_t)count - 1);
    escape_each(escape_text, stderr, "gridlock: expected the command first, then its options: gridlock ", meant, "\n",
                NULL);
    free(meant);
    return STATUS_USAGE;
}

int main(int count, char **arguments)
{
    char name[64];

    keep_standard_descriptors();
    trace_open(STDERR_FILENO);
    signals_install();
    elsewhere_know(commands);
    if (count < 2) {
        print_help(stderr);
        return STATUS_USAGE;
    }
    if (is_call_for_help(arguments[1])) {
        print_help(stdout);
        return check_output(STATUS_OK);
    }
    if (is_call_for_version(arguments[1]))
        return check_output(command_version(count, arguments));
    const struct command *command = find_command(arguments[1]);
    if (command != NULL) {
        snprintf(name, sizeof name, "gridlock %s", command->name);
        arguments[1] = name;
        if (count == 3 && is_call_for_help(arguments[2]))
            arguments[2] = "--help";
        return check_output(command->run(count - 1, arguments + 1));
    }
    if (arguments[1][0] == '-')
        return refuse_option(count, arguments);
    return refuse_word("unknown command", nearest_begin(arguments[1]), "\"gridlock --help\" lists all");
}
