/* gridlock: the table of subcommands. */

#include "base/error.h"
#include "base/source.h"
#include "cli/command.h"
#include "cli/output.h"
#include "host/signals.h"

#include <argp.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static command_function command_help;

static const struct command {
    const char *name;
    command_function *run;
    const char *purpose; /* NULL: not for people */
} commands[] = {
    {"devices", command_devices, "every device, what it offers for synchronization, and the probed channel"},
    {"limits", command_limits, "how many work-groups each device holds, and may synchronize"},
    {"run", command_run, "sweeps scenarios: which idioms are safe up to which group count"},
    {"progress", command_progress, "who may wait for whom: which models of progress a device breaks"},
    {"resume", command_resume, "goes on with a run that was interrupted, killed or stopped"},
    {"merge", command_merge, "the union of run files: shards, devices, drivers"},
    {"compare", command_compare, "what changed between two runs: regressions, fixes, limits that moved"},
    {"explain", command_explain, "why a launch failed: who waits for whom, and what would help"},
    {"report", command_report, "prints a run file in any format: text, JSON, JUnit, TAP, CSV ..."},
    {"list", command_list, "scenarios and kernels, and what each teaches"},
    {"check", command_check, "validates a scenario file, with file and line"},
    {"litmus", command_litmus, "small programs, and which models of progress guarantee that they end"},
    {"help", command_help, NULL},
    {"worker", command_worker, NULL},
};

static void print_help(FILE *out)
{
    fputs("Usage: gridlock COMMAND [OPTION...]\n"
          "Finds out, by measurement, how many OpenCL work-groups may wait for each other.\n\n",
          out);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; ++i)
        if (commands[i].purpose != NULL)
            fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].purpose);
    fputs("\n\"gridlock COMMAND --help\" tells more; \"gridlock help words\" explains the words that gridlock uses.\n",
          out);
}

/*
 * A file that is opened must never become descriptor 0, 1 or 2. Each of these that is closed is opened such that its use
 * fails: what cannot be read or written must not seem to have been.
 */
static void keep_standard_descriptors(void)
{
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor)
        if (fcntl(descriptor, F_GETFD) == -1)
            (void)open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* A command's results must have been written, too. */
static int check_output(int status)
{
    const int failure = output_failure();
    if (failure == 0 || status == STATUS_HARNESS)
        return status; /* a failure of the harness has been reported, be it this one */
    fprintf(stderr, "gridlock: cannot write the results to stdout: %s\n", strerror(failure));
    return status == STATUS_OK || status == STATUS_SURPRISE ? STATUS_HARNESS : status;
}

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; ++i)
        if (strcmp(name, commands[i].name) == 0)
            return &commands[i];
    return NULL;
}

/* The commands, a page of help by its name, or what a command says by --help. */
static int command_help(int count, char **arguments)
{
    char name[64];

    if (count < 2) {
        print_help(stdout);
        return STATUS_OK;
    }
    for (const struct source_file *page = help_pages; page->name != NULL; ++page)
        if (strcmp(arguments[1], page->name) == 0) {
            fputs(page->text, stdout);
            return STATUS_OK;
        }
    const struct command *command = find_command(arguments[1]);
    if (command != NULL && command->purpose != NULL) {
        snprintf(name, sizeof name, "gridlock %s", command->name);
        return command->run(2, (char *[]){name, "--help", NULL});
    }
    fprintf(stderr, "gridlock: there is no help on \"%s\"; \"gridlock help\" lists the commands\n", arguments[1]);
    return STATUS_USAGE;
}

int main(int count, char **arguments)
{
    char name[64];

    keep_standard_descriptors();
    signals_install();
    argp_err_exit_status = STATUS_USAGE;
    if (count < 2) {
        print_help(stderr);
        return STATUS_USAGE;
    }
    if (strcmp(arguments[1], "--help") == 0) {
        print_help(stdout);
        return STATUS_OK;
    }
    if (strcmp(arguments[1], "--version") == 0) {
        puts("gridlock " GRIDLOCK_VERSION);
        return STATUS_OK;
    }
    const struct command *command = find_command(arguments[1]);
    if (command != NULL) {
        snprintf(name, sizeof name, "gridlock %s", command->name);
        arguments[1] = name;
        return check_output(command->run(count - 1, arguments + 1));
    }
    fprintf(stderr, "gridlock: there is no command \"%s\"; \"gridlock --help\" lists them\n", arguments[1]);
    return STATUS_USAGE;
}
