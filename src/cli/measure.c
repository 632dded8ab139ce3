#include "cli/measure.h"

#include "base/alloc.h"
#include "base/words.h"
#include "cli/against.h"
#include "engine/run_file.h"
#include "host/death.h"
#include "host/signals.h"
#include "report/extent.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    STALL_BUDGET_MOST_MS = 3600000,
    STALL_BUDGET_LIVE_MS = 500,
    WAIT_DEFAULT_S = 3600,
    WAIT_MOST_S = 30 * 86400,
    JOBS_MOST = 1024,
};

static const struct continuation *next_continuation;

void measure_continue(const struct continuation *continuation)
{
    next_continuation = continuation;
}

void measure_options_init(struct measure_options *options)
{
    *options = (struct measure_options){.wait_s = WAIT_DEFAULT_S, .jobs = JOBS_MOST, .continued = next_continuation};
    common_options_init(&options->common);
}

/* --- what a foreign run may load --- */

/* Tells `file` in `wanted`, with the option that names it, unless the user has named it, which is noted in `used`. A
 * library without a slash is no file of a folder: the loader looks for it. */
static void require_named(const struct continuation *continued, const char *option, const char *file, FILE *wanted,
                          bool *used)
{
    const bool is_searched = option[0] != '\0' && strchr(file, '/') == NULL && strcmp(option, "--icd ") == 0;
    char *path = is_searched ? NULL : realpath(file, NULL);

    for (size_t i = 0; i < continued->named_count; ++i)
        if (strcmp(continued->named[i], path != NULL ? path : file) == 0) {
            wanted = NULL;
            used[i] = true;
        }
    if (wanted != NULL) {
        fprintf(wanted, " %s", option);
        words_print(wanted, path != NULL ? path : file);
    }
    free(path);
}

/* What the user has named for nothing may have been meant as something else, such as another run. */
static int refuse_unused(const struct continuation *continued, const bool *used, struct error *error)
{
    for (size_t i = 0; i < continued->named_count; ++i)
        if (!used[i])
            return error_set(error, STATUS_USAGE,
                             "unexpected argument %.300s: resume continues one run, and this one loads no such file",
                             continued->named[i]);
    return 0;
}

int measure_check_origin(const struct measure_options *options, char *const *files, size_t count, struct error *error)
{
    const struct common_options *common = &options->common;
    const struct continuation *continued = options->continued;
    bool used[CONTINUATION_NAMED] = {false};
    char *text = NULL;
    size_t size = 0;

    if (continued == NULL)
        return 0;
    FILE *wanted = xopen_memstream(&text, &size);
    for (size_t i = 0; i < common->icd_count; ++i)
        require_named(continued, "--icd ", common->icds[i], wanted, used);
    if (common->kernel_folder != NULL)
        require_named(continued, "--kernel-dir ", common->kernel_folder, wanted, used);
    if (options->against != NULL)
        require_named(continued, "", options->against, wanted, used);
    for (size_t i = 0; i < count; ++i)
        require_named(continued, "", files[i], wanted, used);
    xclose_memstream(wanted, &text);
    int outcome;
    if (size > 0 && continued->foreign)
        outcome = error_set(error, STATUS_USAGE,
                            "this run was begun on another machine or by another user, and would load files; to "
                            "continue it with them, name them again: gridlock resume RUN%s",
                            text);
    else
        outcome = refuse_unused(continued, used, error);
    free(text);
    return outcome;
}

/* --- options --- */

/* Time without a change after which a launch has stalled; 0: by the device. */
static uint64_t stall_budget_ns(const struct measure_options *options)
{
    if (options->stall_budget_ms != 0)
        return options->stall_budget_ms * 1000000;
    return options->live != LIVE_NO ? (uint64_t)STALL_BUDGET_LIVE_MS * 1000000 : 0;
}

/* The file of a run that goes on is given, and has its shard, whatever the environment says now. */
static int take_own_run_file(struct parsing *parsing, void *context, char *argument)
{
    struct measure_options *options = context;
    return options->continued != NULL ? 0 : take_run_file(parsing, &options->run_file, argument);
}

static int take_shard(struct parsing *parsing, void *context, char *argument)
{
    struct measure_options *options = context;
    return options->continued != NULL ? 0 : shard_parse(argument, &options->shard, &parsing->error);
}

int live_parse(const char *text, enum live *live, struct error *error)
{
    if (text != NULL && strcmp(text, "any") != 0)
        return error_set(error, STATUS_USAGE, "--live=%.40s: expected --live or --live=any", text);
    *live = text != NULL ? LIVE_ANY : LIVE_CPU;
    return 0;
}

static int take_live(struct parsing *parsing, void *member, char *argument)
{
    return live_parse(argument, member, &parsing->error);
}

#define AT(member) offsetof(struct measure_options, member)

static const struct command_option run_file_options[] = {
    {"run", 'o', 8, "FILE", "Run file to write; it must not exist (default: a new one in the user's state directory)",
     .take = take_own_run_file},
    {0},
};

const struct command_line run_file_line = {.options = run_file_options};

static const struct command_option options_table[] = {
    {"against", 0, 3, "RUN",
     "Compare with this run of the same kind, and exit with 1 if anything is worse: as gridlock compare, and reports "
     "of the run file have a case for each line of points, footprint, promise or model; also if a device is gone",
     .at = AT(against)},
    {"shard", 0, 8, "I/N|env",
     "Run only the trials of shard I of N, counted from 0; env: the shard that GoogleTest, Slurm, GitLab or Open MPI "
     "set in the environment (default: all trials, or the shard that GoogleTest's variables set)",
     .take = take_shard},
    {"device-wait", 0, 8, "S", "How long to wait for a device that another run uses (default: 3600)", .at = AT(wait_s),
     .take = take_number, .most = WAIT_MOST_S},
    {"jobs", 0, 8, "N",
     "How many devices are measured at the same time, each in a process of its own; only GPUs are, all others have the "
     "machine to themselves (default: all GPUs)",
     .at = AT(jobs), .take = take_number, .least = 1, .most = JOBS_MOST},
    {"stall-budget", 0, 9, "MS",
     "How long a launch must show no change to count as stalled (default: depends on the device; 500 with --live)",
     .at = AT(stall_budget_ms), .take = take_number, .least = 1, .most = STALL_BUDGET_MOST_MS},
    {"live", 0, 9, "any",
     "Wait without a fuse and without the stop word, so that a stalled launch must be killed; on CPU devices only, or "
     "with --live=any on any device, which may take the machine down",
     .at = AT(live), .take = take_live, .optional = true},
    {"yes", 0, 9, NULL, "Do not ask before --live=any", .at = AT(yes)},
    {"progress", 0, 12, NULL,
     "Show how far the run is: on one line of the terminal, or as a new line every ten seconds (default: auto)",
     .at = AT(progress), .names = &status_line_naming},
    {0},
};

static const struct command_part parts[] = {
    {&run_file_line, 0}, {&common_line, AT(common)}, {&color_line, AT(color)}, {0}};

const struct command_line measure_line = {.options = options_table, .parts = parts};

/* --- a measurement --- */

static void show_waiting(void *context, enum stage stage, uint64_t since_ns)
{
    struct measurement *measurement = context;
    if (since_ns == 0)
        status_line_clear(&measurement->probing);
    else
        status_line_waiting(&measurement->probing, DEVICE_LABEL_OF(&measurement->remote.device), stage_words(stage),
                            since_ns);
}

int measurement_open(struct measurement *measurement, const struct measure_options *options, bool devices,
                     struct error *error)
{
    const struct common_options *common = &options->common;

    *measurement = (struct measurement){
        .options = options,
        .settings = {.shard = options->shard,
                     .stall_budget_ns = stall_budget_ns(options),
                     .continued = options->continued != NULL,
                     .retry_incomplete = options->continued != NULL && options->continued->retry_incomplete,
                     .force = options->continued != NULL && options->continued->force},
        .remote = {.waiting = show_waiting, .context = measurement},
        .worker = {.remote = &measurement->remote,
                   .channel = common->channel,
                   .wait_ns = options->wait_s * 1000000000,
                   .quiet = common->quiet},
    };
    if (options->shard.count == 0 && options->continued == NULL &&
        shard_of_gtest(&measurement->settings.shard, error) != 0)
        return -1;
    signals_defer();
    if (!devices)
        return 0;
    if (selection_open(common, &measurement->remote.supervisor, error) != 0)
        return -1;
    return selection_make(&measurement->selection, &measurement->remote, common, error);
}

/* Unfused kernels can take a machine down: a CPU, or a device that is confirmed; else STATUS_USAGE. */
static int confirm_live(enum live live, bool yes, const struct device_info *device, struct error *error)
{
    char answer[16] = "";

    if (live == LIVE_NO || device->kind == DEVICE_CPU)
        return 0;
    if (live != LIVE_ANY)
        return error_set(error, STATUS_USAGE, "--live: %s is not a CPU device; choose one with -d, or use --live=any",
                         DEVICE_LABEL_OF(device));
    fprintf(stderr,
            "gridlock: --live=any runs kernels on %s that may never end and that only killing the process can\nstop. "
            "The display, the driver or the whole machine may hang.\n",
            DEVICE_LABEL_OF(device));
    if (yes)
        return 0;
    fputs("Continue? (yes/no) ", stderr);
    if (!isatty(0) || fgets(answer, sizeof answer, stdin) == NULL || strncmp(answer, "yes", 3) != 0)
        return error_set(error, STATUS_USAGE, "--live=any: not confirmed (use --yes to confirm)");
    return 0;
}

/* How many devices the run is to use: one that cannot be used is none of them. */
static int note_devices(struct measurement *measurement, struct error *error)
{
    const size_t count = measurement->selection.count - measurement->refused;

    store_expect_devices(measurement->settings.store, measurement->selection.devices, measurement->selection.count);
    return store_note_devices(measurement->settings.store, (uint32_t)count, error);
}

int measurement_begin(struct measurement *measurement, int count, char **arguments, struct error *error)
{
    const struct measure_options *options = measurement->options;
    const bool yes = options->yes && (options->continued == NULL || !options->continued->foreign);

    for (size_t i = 0; i < measurement->selection.count; ++i)
        if (confirm_live(options->live, yes, &measurement->selection.devices[i], error) != 0)
            return -1;
    if (against_open(measurement, arguments[0], error) != 0)
        return -1;
    if (options->continued != NULL) {
        snprintf(measurement->path, sizeof measurement->path, "%s", options->continued->path);
        if (run_file_continue(options->continued->path, &measurement->settings.store, &measurement->settings.shard,
                              error) != 0)
            return -1;
        return note_devices(measurement, error);
    }
    struct run_asked asked = {.count = count, .arguments = arguments};
    asked.items = arguments_asked(&asked.item_count);
    if (run_file_create(options->run_file, &asked, &measurement->settings.shard, measurement->path,
                        sizeof measurement->path, &measurement->settings.store, error) != 0)
        return -1;
    if (!measurement->options->common.quiet)
        fprintf(stderr, "gridlock: run file %s\n", measurement->path);
    return note_devices(measurement, error);
}

int measurement_note_source(const struct measurement *measurement, const char *file, uint64_t digest, const char *also,
                            struct error *error)
{
    struct store_source noted, own;

    snprintf(own.name, sizeof own.name, "%s", file);
    snprintf(own.digest, sizeof own.digest, "%016" PRIx64, digest);
    if (store_find_source(measurement->settings.store, own.name, &noted, error) != 0)
        return -1;
    if (noted.digest[0] == '\0')
        return store_add_source(measurement->settings.store, &own, error);
    if (strcmp(noted.digest, own.digest) == 0 || measurement->settings.force)
        return 0;
    return error_set(error, STATUS_USAGE, "%s%s has changed since this run began; use --force to continue anyway",
                     own.name, also);
}

int measurement_device_ended(struct measurement *measurement, int outcome, struct error *error)
{
    measurement->done += outcome == 0;
    if (outcome == 0)
        return 0;
    measurement->wedged = measurement->wedged || error->status == STATUS_WEDGED;
    if ((error->status != STATUS_UNSUPPORTED && error->status != STATUS_NO_DEVICE && error->status != STATUS_WEDGED) ||
        (measurement->done == 0 && measurement->begun == measurement->selection.count))
        return -1;
    report_error(error);
    measurement->refused += error->status != STATUS_WEDGED; /* one that is given up is missing from the run */
    return note_devices(measurement, error);
}

enum status_line_kind measurement_status_line(const struct measurement *measurement)
{
    return measurement->options->common.quiet ? STATUS_LINE_NONE : measurement->options->progress;
}

void measurement_share(void *measurement, uint64_t done, uint64_t total, uint64_t bad)
{
    struct measurement *shown = measurement;
    status_line_share(&shown->line, shown->options->unit, done, total, bad);
}

int measurement_device(struct measurement *measurement, measure_device *measure, void *context,
                       const struct device_info *device, struct error *error)
{
    status_line_begin(&measurement->line, measurement_status_line(measurement));
    const int outcome = measure(context, device, error);
    status_line_clear(&measurement->line);
    return outcome;
}

bool measurement_prints_bit_by_bit(const struct measurement *measurement)
{
    return measurement->options->common.format == FORMAT_TEXT && measurement->options->continued == NULL &&
           !measurement_is_parallel(measurement);
}

int measurement_print(struct measurement *measurement, struct report *report, const struct text_style *style,
                      bool printed, struct error *error)
{
    report_runs_fini(report); /* of an earlier reading: shares have changed since */
    if (against_assert(measurement, error) != 0)
        return -1;
    int outcome = report_read_runs(report, measurement->settings.store, error);
    report_note_extents(report);
    if (outcome == 0 && measurement->options->common.format == FORMAT_JSON)
        outcome = report_write_json(stdout, report, style, error);
    else if (outcome == 0 && printed)
        report_write_extents(stdout, report);
    else if (outcome == 0)
        outcome = report_write_text(stdout, report, style, error);
    return outcome;
}

int measurement_report(struct measurement *measurement, struct report *report, int outcome, enum status *status,
                       struct error *error)
{
    const struct text_style style = {false, stdout_colors(measurement->options->color)};
    verdict_set verdicts;

    if (outcome == 0)
        outcome = measurement_print(measurement, report, &style, false, error);
    *status = report_measured_status(report, &verdicts);
    if (measurement->options->exit != NULL)
        *status = exit_status(measurement->options->exit, *status, verdicts);
    return outcome;
}

int measurement_interrupted(const struct measurement *measurement, int outcome, struct error *error)
{
    if (signals_received() == 0 && outcome == 0 && measurement->wedged)
        return error_set(error, STATUS_WEDGED, "a device no longer works; %s holds what was measured on the others",
                         measurement->path);
    if (signals_received() == 0)
        return outcome;
    return error_set(error, (enum status)(128 + signals_received()),
                     "interrupted; %s holds what was measured, and gridlock resume continues it", measurement->path);
}

void measurement_close(struct measurement *measurement)
{
    if (measurement->remote.supervisor != NULL)
        supervisor_close(measurement->remote.supervisor);
    store_close(measurement->settings.store);
    store_close(measurement->against);
    selection_fini(&measurement->selection);
}
