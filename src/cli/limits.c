#include "cli/command.h"

#include "base/file.h"
#include "cli/at_least.h"
#include "cli/measure.h"
#include "cli/options.h"
#include "cli/sources.h"
#include "engine/campaign.h"
#include "format/limits.h"
#include "host/signals.h"

#include <stdio.h>
#include <string.h>

enum { ITERATIONS_DEFAULT = 20, ITERATIONS_MOST = 1000000 };

struct limits_options {
    struct measure_options measure;
    struct footprint_axes axes;
    struct axis groups;
    struct source_options sources;
    struct at_least at_least;
    const char *local_sizes; /* as they were given; with --source they may be shapes */
    bool estimators[ESTIMATOR_COUNT];
    bool estimators_given;
    uint32_t iterations; /* 0: not given */
    const char *binary_folder;
};

/* --- options --- */

/* What kernels of the user's cannot be measured with, and what only they can. */
static int check_sources(const struct limits_options *options, struct error *error)
{
    const char *alone = options->axes.local_memory.count > 0    ? "--local-memory"
                        : options->axes.private_bytes.count > 0 ? "--private"
                        : options->axes.grid                    ? "--grid"
                        : options->groups.count > 0             ? "--groups"
                        : options->estimators[TRIAL_DISCOVERY]  ? "--estimator discovery"
                        : options->measure.live != LIVE_NO      ? "--live"
                                                                : NULL;

    if (options->sources.request.file_count == 0 && options->sources.first != NULL)
        return error_set(error, STATUS_USAGE, "--%s needs --source", options->sources.first);
    if (options->sources.request.file_count > 0 && alone != NULL)
        return error_set(error, STATUS_USAGE, "%s is not possible with --source", alone);
    return 0;
}

static int check(struct parsing *parsing)
{
    struct limits_options *options = parsing->options;
    struct error *error = &parsing->error;

    if (check_sources(options, error) != 0)
        return -1;
    if (options->local_sizes == NULL)
        return 0;
    if (options->sources.request.file_count > 0)
        return sources_parse_sizes(&options->sources, options->local_sizes, error);
    return parse_list("--local-size", options->local_sizes, 1, UINT32_MAX, &options->axes.local_size, error);
}

static int take_operand(struct parsing *parsing, char *word)
{
    struct limits_options *options = parsing->options;

    if (options->sources.request.file_count > 0)
        return sources_add_file(parsing, &options->sources, word);
    refuse_usage(parsing,
                 file_is_kernel(word) ? "unexpected argument: %s; --source measures the kernels of a file"
                                      : "unexpected argument: %s",
                 word);
    return 0;
}

#define AT(member) offsetof(struct limits_options, member)

static const struct command_option options_table[] = {
    {"local-size", 0, 1, "N,...", "Work-group sizes to measure, in work-items", .at = AT(local_sizes)},
    {"local-memory", 0, 1, "N,...", "Local memory per group, in bytes", .at = AT(axes.local_memory), .take = take_axis,
     .most = UINT32_MAX},
    {"private", 0, 1, "N,...", "Private values that each work-item keeps alive, in bytes, multiples of 4",
     .at = AT(axes.private_bytes), .take = take_axis, .most = FOOTPRINT_PRIVATE_MAX},
    {"grid", 0, 1, NULL,
     "Measure all combinations of work-group sizes, local memory and private values, at most 60; what is not given has "
     "a few values that are far apart",
     .at = AT(axes.grid)},
    {"groups", 0, 1, "N,...",
     "Try a barrier over these group counts instead of searching (of 64 work-items without --local-size)",
     .at = AT(groups), .take = take_axis, .least = 1, .most = MIRROR_GROUPS},
    {"estimator", 0, 2, NULL, "How to measure (default: all three)", .at = AT(estimators), .take = take_names,
     .names = &estimator_naming, .given = AT(estimators_given)},
    {"at-least", 0, 3, "FOOTPRINT=N...",
     "Exit with 1 if fewer than N groups of FOOTPRINT are resident, or it is not measured. It is a work-group size, "
     "which local and private memory may follow (64, 64/4096, 64/0/16), or, with --source, a kernel (blur, a.cl:blur, "
     "blur/16x16)",
     .at = AT(at_least), .take = take_at_least},
    {"iterations", 0, 2, "N", "Launches at the limit and one group above (default: 20; 1 with --live)",
     .at = AT(iterations), .take = take_count, .least = 1, .most = ITERATIONS_MOST},
    {"save-binaries", 0, 4, "DIR", "Write the driver's program binaries (PTX on NVIDIA) into DIR",
     .at = AT(binary_folder)},
    {0},
};

/* --- a run --- */

/* What the campaign's callbacks print from. */
struct limits_run {
    const struct limits_options *options;
    struct measurement *measurement;
    struct text_style style;
    struct limits_report report;
    size_t printed; /* rows of the last device */
    struct subject_table table;
};

static const struct limits_device *last_device(const struct limits_run *run)
{
    return &run->report.devices[run->report.count - 1];
}

static void trial_ended(void *context, const struct campaign_state *state)
{
    const struct limits_run *run = context;
    status_line_footprints(&run->measurement->line, state->footprint, state->footprints, state->trials,
                           state->surprises);
}

static int device_begun(void *context, const struct footprint *footprints, size_t count, struct error *error)
{
    struct limits_run *run = context;
    run->printed = 0;
    run->table = (struct subject_table){0};
    for (size_t i = 0; i < count; ++i)
        subject_table_add(&run->table, &footprints[i]);
    if (!measurement_prints_bit_by_bit(run->measurement))
        return 0;
    if (limits_report_update(&run->report, run->measurement->settings.store, error) != 0)
        return -1;
    if (run->report.count > 1)
        putchar('\n');
    limits_text_heading(stdout, last_device(run), &run->table);
    output_flush();
    return 0;
}

/* The rows that are new; `whole`: there will be no more. */
static void print_rows(struct limits_run *run, bool whole)
{
    run->printed = limits_text_rows(stdout, run->style.colors, last_device(run), &run->table, run->printed, whole);
    output_flush();
}

static int footprint_ended(void *context, struct error *error)
{
    struct limits_run *run = context;
    if (!measurement_prints_bit_by_bit(run->measurement))
        return 0;
    status_line_clear(&run->measurement->line);
    if (limits_report_update(&run->report, run->measurement->settings.store, error) != 0)
        return -1;
    print_rows(run, false);
    return 0;
}

static int planned(void *context, const struct device_info *device, const struct footprint *footprints, size_t count,
                   struct error *error)
{
    const struct limits_run *run = context;
    return at_least_check(&run->options->at_least, device, footprints, count, error);
}

/* main says if stdout could not be written. */
static int print_rest(struct limits_run *run, enum status *status, struct error *error)
{
    if (run->measurement->done == 0)
        return -1; /* interrupted before there was anything to report */
    if (limits_report_update(&run->report, run->measurement->settings.store, error) != 0)
        return -1;
    if (signals_received() == 0 &&
        at_least_assert(&run->options->at_least, &run->report, run->measurement->settings.shard.count > 1,
                        run->measurement->settings.store, error) != 0)
        return -1;
    struct report report = {.kind = REPORT_LIMITS, .limits = run->report};
    verdict_set ignored;
    const int outcome = measurement_print(run->measurement, &report, &run->style,
                                          measurement_prints_bit_by_bit(run->measurement), error);
    *status = report_measured_status(&report, &ignored);
    report_runs_fini(&report);
    return outcome;
}

static void fill_search_options(const struct limits_options *options, struct search_options *search)
{
    const bool live = options->measure.live != LIVE_NO;
    *search = (struct search_options){
        .repeats = options->iterations != 0 ? options->iterations
                   : live                   ? 1
                                            : ITERATIONS_DEFAULT,
        .live = live,
    };
    const bool own = options->sources.request.file_count > 0;
    for (int i = 0; i < ESTIMATOR_COUNT; ++i)
        search->estimators[i] = options->estimators_given
                                    ? options->estimators[i]
                                    : options->groups.count == 0 && !(own && i == TRIAL_DISCOVERY);
    if (options->groups.count > 0)
        search->estimators[TRIAL_BARRIER] = true;
    for (uint32_t i = 0; i < options->groups.count; ++i)
        search->given[search->given_count++] = (uint32_t)options->groups.values[i];
}

static int measure(void *context, const struct device_info *device, struct error *error)
{
    struct campaign *campaign = context;
    struct limits_run *run = campaign->context;
    int outcome = campaign_device(campaign, device, error);

    status_line_clear(&run->measurement->line);
    if (outcome == 0 && measurement_prints_bit_by_bit(run->measurement)) {
        outcome = limits_report_update(&run->report, run->measurement->settings.store, error);
        if (outcome == 0) {
            print_rows(run, true);
            limits_text_summary(stdout, run->style.colors, last_device(run));
        }
    }
    return outcome;
}

/* What the run would load: its sources, and the folder that it writes to. */
static int check_origin(const struct limits_options *options, struct error *error)
{
    const char *const folders[] = {options->binary_folder};
    return sources_check_origin(&options->sources, &options->measure, folders, options->binary_folder != NULL, error);
}

static int run_limits(struct limits_options *options, int count, char **arguments, enum status *status,
                      struct error *error)
{
    struct measurement measurement = {0};
    struct limits_run run = {
        .options = options, .measurement = &measurement, .style = {false, stdout_colors(options->measure.color)}};
    int outcome = -1;
    struct campaign campaign = {
        .settings = &measurement.settings,
        .executor = executor_of_worker(&measurement.worker),
        .axes = options->axes,
        .subjects = options->sources.request.file_count > 0 ? &options->sources.request : NULL,
        .binary_folder = options->binary_folder,
        .planned = options->at_least.count > 0 ? planned : NULL,
        .device_begun = device_begun,
        .footprint_ended = footprint_ended,
        .trial_ended = trial_ended,
        .context = &run,
    };

    campaign.axes.single = options->groups.count > 0;
    fill_search_options(options, &campaign.options);
    if (sources_read(&options->sources, error) != 0 || sources_check_header(&options->sources, error) != 0 ||
        check_origin(options, error) != 0 || measurement_open(&measurement, &options->measure, true, error) != 0)
        goto out;
    for (size_t i = 0; i < measurement.selection.count; ++i)
        if (campaign_check(&campaign, &measurement.selection.devices[i], error) != 0)
            goto out;
    if (measurement_begin(&measurement, count, arguments, error) != 0)
        goto out;
    outcome = sources_note(&options->sources, &measurement, error);
    if (outcome == 0)
        outcome = measurement_each(&measurement, measure, &campaign, error);
    if (outcome == 0)
        outcome = print_rest(&run, status, error);
    if (outcome == 0)
        outcome = sources_write_header(&options->sources, &run.report, error);
    outcome = measurement_interrupted(&measurement, outcome, error);
out:
    limits_report_fini(&run.report);
    measurement_close(&measurement);
    return outcome;
}

static const struct command_part parts[] = {{&measure_line, AT(measure)}, {&sources_line, AT(sources)}, {0}};

const struct command_line limits_line = {
    .options = options_table,
    .parts = parts,
    .operand = take_operand,
    .check = check,
    .doc = "Measures how many work-groups of each footprint are resident on a device at the same time, and the largest "
           "number of groups over which a barrier passes. Without options it measures work-group sizes 1, 2, 4 ... and "
           "ladders of local and private memory.",
    .statuses = "0 each footprint that the device supports was measured; 1 the estimators disagree, the limit is not "
                "monotone, a launch failed repeatedly, a source does not build, or --at-least or --against does not "
                "hold; 2 usage error; 3 the tool failed; 4 no device; 5 a device no longer works; 75 another run kept "
                "the device busy (gridlock resume continues), or --at-least is undecided; 77 nothing could be "
                "measured; 130, 143 ended by SIGINT, SIGTERM",
};

int command_limits(int count, char **arguments)
{
    struct limits_options options = {.sources.said = "--source "};
    struct error error;
    enum status status = STATUS_OK;

    measure_options_init(&options.measure);
    parse_arguments(&limits_line, count, arguments, &options);
    if (options.groups.count > SEARCH_GIVEN) {
        error_set(&error, STATUS_USAGE, "--groups: at most %d values are allowed", SEARCH_GIVEN);
        return report_error(&error);
    }
    return run_limits(&options, count, arguments, &status, &error) != 0 ? report_error(&error) : (int)status;
}
