#include "cli/command.h"

#include "base/file.h"
#include "cli/argument.h"
#include "cli/exit_status.h"
#include "cli/lines.h"
#include "cli/measure.h"
#include "cli/options.h"
#include "cli/sources.h"
#include "core/text.h"
#include "engine/try.h"
#include "reproducer/reproducer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS_MOST = 1 << 20, DEADLINE_S = 10, DEADLINE_MOST_S = 86400, ITERATIONS_MOST = 10000 };

struct try_options {
    struct measure_options measure;
    struct exit_options exit;
    struct source_options sources;
    struct axis groups;
    const char *local_sizes; /* as they were given */
    uint64_t deadline_s;
    uint32_t iterations;
    bool lines;
    const char *reproducer; /* a folder, or NULL */
    struct proof_request request;
};

/* --- options --- */

static int add_argument(struct parsing *parsing, void *context, char *text)
{
    return argument_add_grid(&((struct try_options *)context)->request, text, &parsing->error);
}

/* "4", "1..8": each number from the first to the last. */
static int add_numbers(struct parsing *parsing, const char *item, struct axis *axis)
{
    const char *dots = strstr(item, "..");
    char first[48];
    uint64_t from, to;

    snprintf(first, sizeof first, "%.*s", dots != NULL ? (int)(dots - item) : 47, item);
    if (parse_number(parsing->name, first, 1, GROUPS_MOST, &from, &parsing->error) != 0 ||
        parse_number(parsing->name, dots != NULL ? dots + 2 : first, 1, GROUPS_MOST, &to, &parsing->error) != 0)
        return -1;
    if (to < from)
        return error_set(&parsing->error, STATUS_USAGE, "%s %.40s: expected the smaller number first", parsing->name,
                         item);
    for (uint64_t groups = from; groups <= to; ++groups) {
        if (axis->count == FOOTPRINTS_LIST)
            return error_set(&parsing->error, STATUS_USAGE, "%s: at most %d values are allowed", parsing->name,
                             FOOTPRINTS_LIST);
        axis->values[axis->count++] = groups;
    }
    return 0;
}

static int take_groups(struct parsing *parsing, void *member, char *text)
{
    const char *rest = text;
    char item[48];

    while (rest != NULL) {
        const char *at = rest;
        if (text_item(&rest, item, sizeof item) >= sizeof item)
            return error_set(&parsing->error, STATUS_USAGE, "%s %.40s...: the number is too long", parsing->name, at);
        if (add_numbers(parsing, item, member) != 0)
            return -1;
    }
    return 0;
}

static int take_operand(struct parsing *parsing, char *word)
{
    struct try_options *options = parsing->options;

    if (!sources_is_folder(word) && !file_is_kernel(word) && strcmp(word, SUBJECT_STDIN) != 0)
        return error_set(
            &parsing->error, STATUS_USAGE,
            "%.200s: expected a file of OpenCL C, whose name ends in .cl, - for standard input, or the folder "
            "of a captured launch",
            word);
    return sources_add_file(parsing, &options->sources, word);
}

static int check(struct parsing *parsing)
{
    struct try_options *options = parsing->options;

    if (options->sources.request.file_count == 0)
        return error_set(&parsing->error, STATUS_USAGE, "expected a file of OpenCL C: gridlock try FILE.cl");
    if (options->local_sizes == NULL && options->sources.captured != NULL)
        return 0;
    return sources_parse_sizes(&options->sources, options->local_sizes != NULL ? options->local_sizes : "64",
                               &parsing->error);
}

#define AT(member) offsetof(struct try_options, member)

static const struct command_option options_table[] = {
    {"kernel", 0, 1, "NAME,...", "Only these kernels (default: all of the files)", .at = AT(sources),
     .take = sources_add_kernels},
    {"groups", 0, 1, "N,...",
     "Numbers of work-groups to launch, each by itself; 1..8 is each of them (default: 1, 2, 4 ... up to the number of "
     "compute units, and one more)",
     .at = AT(groups), .take = take_groups},
    {"local-size", 0, 1, "N,...",
     "Work-items of a group, as 64, 16x16 or 8x8x4 (default: 64, or what the kernel requires)", .at = AT(local_sizes)},
    {"arg", 0, 1, "ARGUMENT=VALUE...",
     ARGUMENT_HELP
     ". ARGUMENT=grid is the words of a kernel that waits by gridlock.clh alone, so that its waits give up: "
     "with =grid:FUSE after FUSE times 64 polls",
     .take = add_argument},
    {"build-options", 0, 1, "TEXT", "Options for the driver's compiler, as -DN=16", .at = AT(sources.request.options),
     .take = sources_take_build_options},
    {"deadline", 0, 1, "S", "End a launch that has run for so long (default: 10)", .at = AT(deadline_s),
     .take = take_number, .least = 1, .most = DEADLINE_MOST_S},
    {"iterations", 0, 2, "N", "Launches with each number of groups (default: 1)", .at = AT(iterations),
     .take = take_count, .least = 1, .most = ITERATIONS_MOST},
    {"lines", 0, 2, NULL,
     "Have PoCL keep debug information, so that it is said at which line a kernel goes round; before version 6 it then "
     "optimizes nothing, so that what is launched is other code",
     .at = AT(lines)},
    {0},
};

/* --- a run --- */

static int launch_all(void *context, const struct device_info *device, struct error *error)
{
    return try_device(context, device, error);
}

static bool gives_up(const struct proof_request *request)
{
    for (uint32_t i = 0; i < request->argument_count; ++i)
        if (request->arguments[i].fill == PROOF_FILL_GRID)
            return true;
    return false;
}

/* A kernel that waits by itself is not stopped by what stops ours: only a process that is killed frees the device. */
static int check_devices(const struct measurement *measurement, const struct try_options *options, struct error *error)
{
    for (size_t i = 0; i < measurement->selection.count; ++i) {
        const struct device_info *device = &measurement->selection.devices[i];
        if (device->kind != DEVICE_CPU && !device_info_is_model(device) && options->measure.live != LIVE_ANY &&
            !gives_up(&options->request))
            return error_set(error, STATUS_USAGE,
                             "%s is not a CPU device, and a kernel that never ends may take it, or the machine, down; "
                             "choose one with -d, use --live=any, or --arg 0=grid if it waits by gridlock.clh alone",
                             DEVICE_LABEL_OF(device));
    }
    return 0;
}

static int print(struct measurement *measurement, enum status *status, struct error *error)
{
    struct report report = {.kind = REPORT_RUN};
    int outcome = report_read_measured(&report, measurement->settings.store, error);

    outcome = measurement_report(measurement, &report, outcome, status, error);
    report_fini(&report);
    return outcome;
}

/* The launch as it was, unless options say something else. */
static void take_captured(struct try_options *options)
{
    const struct captured *captured = options->sources.captured;

    sources_give_arguments(&options->sources, &options->request);
    if (captured == NULL || options->groups.count > 0)
        return;
    options->groups.values[options->groups.count++] = captured->groups;
    if (options->local_sizes != NULL)
        return;
    options->request.trial.work.range = captured->range;
}

static int run_try(struct try_options *options, int count, char **arguments, enum status *status, struct error *error)
{
    struct measurement measurement = {0};

    take_captured(options);
    if (options->reproducer != NULL)
        return reproducer_write_replay(options->sources.captured, options->reproducer, error);
    struct tries tries = {
        .settings = &measurement.settings,
        .worker = &measurement.worker,
        .subjects = &options->sources.request,
        .groups = options->groups.values,
        .group_count = options->groups.count,
        .iterations = options->iterations,
        .request = &options->request,
        .deadline_ns = options->measure.common.timeout_ns,
        .launch_ended = measurement_share,
        .context = &measurement,
    };
    int outcome = -1;

    if (options->lines)
        ask_for_lines(&options->measure.common);
    if (sources_read(&options->sources, error) != 0 ||
        sources_check_origin(&options->sources, &options->measure, NULL, 0, error) != 0 ||
        measurement_open(&measurement, &options->measure, true, error) != 0 ||
        check_devices(&measurement, options, error) != 0 ||
        measurement_begin(&measurement, count, arguments, error) != 0)
        goto out;
    outcome = sources_note(&options->sources, &measurement, error);
    if (outcome == 0)
        outcome = measurement_each(&measurement, launch_all, &tries, error);
    if (outcome == 0)
        outcome = print(&measurement, status, error);
    outcome = measurement_interrupted(&measurement, outcome, error);
out:
    measurement_close(&measurement);
    return outcome;
}

#define TRY_STATUSES                                                                                                   \
    "0 each launch ended; 1 one did not, or crashed, or a file does not build; 2 usage error; 3 the tool "             \
    "failed; 4 no device; 5 a device no longer works; 77 no launch was possible, or the driver cuts loops; 130, 143 "  \
    "ended by SIGINT, SIGTERM"

static const struct command_part parts[] = {{&measure_line, AT(measure)}, {&point_exit_line, AT(exit)}, {0}};

const struct command_line try_line = {
    .options = options_table,
    .parts = parts,
    .operand = take_operand,
    .named = "FILE|DIR...",
    .check = check,
    .doc =
        "Launches kernels as they are, with their own waits, in a process that is killed if they do not end: with how "
        "many work-groups they end, and how one does not. On a CPU device that it never ends is proved, from outside: "
        "all threads that run it only go round, and nobody else can write to memory.",
    .statuses = TRY_STATUSES,
};

static int take_folder(struct parsing *parsing, char *word)
{
    struct try_options *options = parsing->options;

    if (!sources_is_folder(word))
        return error_set(&parsing->error, STATUS_USAGE,
                         "%.200s is no folder: expected that of a launch, which gridlock watch --capture has written",
                         word);
    return sources_add_file(parsing, &options->sources, word);
}

static int check_folder(struct parsing *parsing)
{
    const struct try_options *options = parsing->options;

    if (options->sources.request.file_count == 0)
        return error_set(&parsing->error, STATUS_USAGE,
                         "expected the folder of a captured launch: gridlock replay DIR");
    return check(parsing);
}

static const struct command_option replay_options[] = {
    {"reproducer", 0, 2, "DIR",
     "Launch nothing, but write a program in C that repeats it without gridlock, replay.c, into DIR, which may be the "
     "launch's own folder",
     .at = AT(reproducer)},
    {0},
};

static const struct command_line options_line = {.options = options_table};
static const struct command_part replay_parts[] = {
    {&options_line, 0}, {&measure_line, AT(measure)}, {&point_exit_line, AT(exit)}, {0}};

const struct command_line replay_line = {
    .options = replay_options,
    .parts = replay_parts,
    .operand = take_folder,
    .named = "DIR",
    .check = check_folder,
    .doc = "Launches once more what gridlock watch --capture has kept of a program's launch: its kernel, with the same "
           "sizes and arguments, as gridlock try launches kernels. Memory holds what it held before it if that was "
           "kept, too, and else zeros.",
    .statuses = TRY_STATUSES,
};

static int run_command(const struct command_line *line, int count, char **arguments)
{
    static struct try_options options; /* with nothing set here it takes no place in the file */
    struct error error;
    enum status status = STATUS_OK;

    measure_options_init(&options.measure);
    options.measure.unit = UNIT_LAUNCHES;
    options.measure.exit = &options.exit;
    options.exit.of = &verdict_naming;
    options.sources.said = "";
    options.sources.asked = &options.request;
    options.deadline_s = DEADLINE_S;
    options.iterations = 1;
    parse_arguments(line, count, arguments, &options);
    options.measure.common.timeout_ns = options.deadline_s * UINT64_C(1000000000);
    return run_try(&options, count, arguments, &status, &error) != 0 ? report_error(&error) : (int)status;
}

int command_try(int count, char **arguments)
{
    return run_command(&try_line, count, arguments);
}

int command_replay(int count, char **arguments)
{
    return run_command(&replay_line, count, arguments);
}
