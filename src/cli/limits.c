#include "cli/command.h"

#include "base/file.h"
#include "cli/measure.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/sources.h"
#include "engine/campaign.h"
#include "format/limits.h"

#include <stdio.h>
#include <string.h>

enum {
    KEY_LOCAL_SIZE = 0x200,
    KEY_LOCAL_MEMORY,
    KEY_PRIVATE,
    KEY_GRID,
    KEY_GROUPS,
    KEY_ESTIMATOR,
    KEY_ITERATIONS,
    KEY_SAVE_BINARIES
};

enum {
    ITERATIONS_DEFAULT = 20,
    ITERATIONS_MOST = 1000000,
};

struct limits_options {
    struct measure_options measure;
    struct footprint_axes axes;
    struct axis groups;
    struct source_options sources;
    char *local_sizes; /* as they were given; with --source they may be shapes */
    bool estimators[ESTIMATOR_COUNT];
    bool estimators_given;
    uint64_t iterations;
    bool iterations_given;
    const char *binary_folder;
};

/* --- options --- */

static int parse_option(struct limits_options *options, int key, char *argument, struct error *error)
{
    switch (key) {
    case KEY_LOCAL_SIZE:
        options->local_sizes = argument;
        return 0;
    case KEY_LOCAL_MEMORY:
        return parse_list("--local-memory", argument, 0, UINT32_MAX, &options->axes.local_memory, error);
    case KEY_PRIVATE:
        return parse_list("--private", argument, 0, FOOTPRINT_PRIVATE_MAX, &options->axes.private_bytes, error);
    case KEY_GROUPS:
        return parse_list("--groups", argument, 1, MIRROR_GROUPS, &options->groups, error);
    case KEY_ESTIMATOR:
        options->estimators_given = true;
        choose_names("--estimator", &estimator_naming, argument, options->estimators);
        return 0;
    case KEY_GRID:
        options->axes.grid = true;
        return 0;
    case KEY_ITERATIONS:
        options->iterations_given = true;
        return parse_number("--iterations", argument, 1, ITERATIONS_MOST, &options->iterations, error);
    case KEY_SAVE_BINARIES:
        options->binary_folder = argument;
        return 0;
    default:
        return 1;
    }
}

/* What kernels of the user's cannot be measured with, and what only they can. */
static int check_sources(const struct limits_options *options, struct error *error)
{
    const char *alone = options->axes.local_memory.count > 0    ? "--local-memory"
                        : options->axes.private_bytes.count > 0 ? "--private"
                        : options->axes.grid                    ? "--grid"
                        : options->groups.count > 0             ? "--groups"
                        : options->estimators[ACT_DISCOVERY]    ? "--estimator discovery"
                        : options->measure.live != LIVE_NO      ? "--live"
                                                                : NULL;

    if (options->sources.request.file_count == 0 && options->sources.first != NULL)
        return error_set(error, STATUS_USAGE, "%s needs --source", options->sources.first);
    if (options->sources.request.file_count > 0 && alone != NULL)
        return error_set(error, STATUS_USAGE, "%s is not possible with --source", alone);
    return 0;
}

/* Once all options are known. */
static int parse_sizes(struct limits_options *options, struct error *error)
{
    if (check_sources(options, error) != 0)
        return -1;
    if (options->local_sizes == NULL)
        return 0;
    if (options->sources.request.file_count > 0)
        return sources_parse_sizes(&options->sources, options->local_sizes, error);
    return parse_list("--local-size", options->local_sizes, 1, UINT32_MAX, &options->axes.local_size, error);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct limits_options *options = state->input;
    struct error error;

    if (key == ARGP_KEY_INIT) {
        state->child_inputs[0] = &options->measure;
        state->child_inputs[1] = &options->sources;
        return 0;
    }
    if (key == ARGP_KEY_END)
        return option_parsed(parse_sizes(options, &error), &error);
    if (key == ARGP_KEY_ARG && options->sources.request.file_count > 0)
        return option_parsed(sources_add_file(&options->sources, argument, &error), &error);
    if (key == ARGP_KEY_ARG && file_is_kernel(argument))
        argp_error(state, "unexpected argument: %s; --source measures the kernels of a file", argument);
    if (key == ARGP_KEY_ARG)
        argp_error(state, "unexpected argument: %s", argument);
    return option_parsed(parse_option(options, key, argument, &error), &error);
}

static const struct argp_option options_table[] = {
    {"local-size", KEY_LOCAL_SIZE, "N,...", 0, "Work-group sizes to measure, in work-items", 1},
    {"local-memory", KEY_LOCAL_MEMORY, "N,...", 0, "Local memory per group, in bytes", 1},
    {"private", KEY_PRIVATE, "N,...", 0, "Private values that each work-item keeps alive, in bytes, multiples of 4", 1},
    {"grid", KEY_GRID, NULL, 0,
     "Measure all combinations of work-group sizes, local memory and private values, at most 60; what is not given has "
     "a few values that are far apart",
     1},
    {"groups", KEY_GROUPS, "N,...", 0,
     "Try a barrier over these group counts instead of searching (of 64 work-items without --local-size)", 1},
    {"estimator", KEY_ESTIMATOR, "census|barrier|discovery,...", 0, "How to measure (default: all three)", 2},
    {"iterations", KEY_ITERATIONS, "N", 0, "Launches at the limit and one group above (default: 20; 1 with --live)", 2},
    {"save-binaries", KEY_SAVE_BINARIES, "DIR", 0, "Write the driver's program binaries (PTX on NVIDIA) into DIR", 4},
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
    struct status_line progress;
};

static const struct limits_device *last_device(const struct limits_run *run)
{
    return &run->report.devices[run->report.count - 1];
}

static void trial_ended(void *context, const struct campaign_state *state)
{
    struct limits_run *run = context;
    status_line_footprints(&run->progress, state->footprint, state->footprints, state->trials, state->surprises);
}

static int device_begun(void *context, struct error *error)
{
    struct limits_run *run = context;
    run->printed = 0;
    status_line_begin(&run->progress, measurement_status_line(run->measurement));
    if (!measurement_prints_bit_by_bit(run->measurement))
        return 0;
    if (limits_report_update(&run->report, run->measurement->settings.store, error) != 0)
        return -1;
    if (run->report.count > 1)
        putchar('\n');
    limits_text_heading(stdout, last_device(run), run->options->sources.request.file_count > 0);
    output_flush();
    return 0;
}

static int footprint_ended(void *context, struct error *error)
{
    struct limits_run *run = context;
    if (!measurement_prints_bit_by_bit(run->measurement))
        return 0;
    status_line_clear(&run->progress);
    if (limits_report_update(&run->report, run->measurement->settings.store, error) != 0)
        return -1;
    const struct limits_device *device = last_device(run);
    for (; run->printed < device->count; ++run->printed) {
        if (device->stored.options.given_count > 0)
            limits_text_points(stdout, run->style.colors, &device->rows[run->printed]);
        else
            limits_text_row(stdout, run->style.colors, device, &device->rows[run->printed]);
        output_flush();
    }
    return 0;
}

/* main says if stdout could not be written. */
static int print_rest(struct limits_run *run, struct error *error)
{
    if (run->measurement->done == 0)
        return -1; /* interrupted before there was anything to report */
    if (limits_report_update(&run->report, run->measurement->settings.store, error) != 0)
        return -1;
    struct report report = {.kind = REPORT_LIMITS, .limits = run->report};
    const int outcome = measurement_print(run->measurement, &report, &run->style,
                                          measurement_prints_bit_by_bit(run->measurement), error);
    report_runs_fini(&report);
    return outcome;
}

static void fill_search_options(const struct limits_options *options, struct search_options *search)
{
    const bool live = options->measure.live != LIVE_NO;
    *search = (struct search_options){
        .repeats = (uint32_t)(options->iterations_given ? options->iterations
                              : live                    ? 1
                                                        : ITERATIONS_DEFAULT),
        .live = live,
    };
    const bool own = options->sources.request.file_count > 0;
    for (int i = 0; i < ESTIMATOR_COUNT; ++i)
        search->estimators[i] = options->estimators_given ? options->estimators[i]
                                                          : options->groups.count == 0 && !(own && i == ACT_DISCOVERY);
    if (options->groups.count > 0)
        search->estimators[ACT_BARRIER] = true;
    for (uint32_t i = 0; i < options->groups.count; ++i)
        search->given[search->given_count++] = (uint32_t)options->groups.values[i];
}

static int measure(void *context, const struct device_info *device, struct error *error)
{
    struct campaign *campaign = context;
    struct limits_run *run = campaign->context;
    int outcome = campaign_device(campaign, device, error);

    status_line_clear(&run->progress);
    if (outcome == 0 && measurement_prints_bit_by_bit(run->measurement)) {
        outcome = limits_report_update(&run->report, run->measurement->settings.store, error);
        if (outcome == 0)
            limits_text_summary(stdout, run->style.colors, last_device(run));
    }
    return outcome;
}

/* What the run would load: its sources, what they are built with, and the folder that it writes to. */
static int check_origin(const struct limits_options *options, struct error *error)
{
    const struct subject_request *request = &options->sources.request;
    char *files[SUBJECT_FILES + 2], built[sizeof BUILD_OPTIONS_NAMED + sizeof((struct subject *)0)->options];
    size_t count = 0;

    if (options->binary_folder != NULL)
        files[count++] = (char *)options->binary_folder;
    for (size_t i = 0; i < request->file_count; ++i)
        if (strcmp(request->files[i], SUBJECT_STDIN) != 0)
            files[count++] = (char *)request->files[i];
    if (request->options != NULL && request->options[0] != '\0') {
        snprintf(built, sizeof built, BUILD_OPTIONS_NAMED "%s", request->options);
        files[count++] = built;
    }
    return measure_check_origin(&options->measure, files, count, error);
}

static int run_limits(struct limits_options *options, int count, char **arguments, enum status *status,
                      struct error *error)
{
    struct measurement measurement;
    struct limits_run run = {
        .options = options, .measurement = &measurement, .style = {false, stdout_colors(options->measure.color)}};
    int outcome = -1;
    struct campaign campaign = {
        .settings = &measurement.settings,
        .executor = executor_of_worker(&measurement.worker),
        .axes = options->axes,
        .subjects = options->sources.request.file_count > 0 ? &options->sources.request : NULL,
        .binary_folder = options->binary_folder,
        .device_begun = device_begun,
        .footprint_ended = footprint_ended,
        .trial_ended = trial_ended,
        .context = &run,
    };

    if (sources_read(&options->sources, error) != 0 || sources_check_header(&options->sources, error) != 0)
        return -1;
    campaign.axes.single = options->groups.count > 0;
    fill_search_options(options, &campaign.options);
    if (check_origin(options, error) != 0)
        return -1;
    if (measurement_open(&measurement, &options->measure, true, error) != 0)
        goto out;
    for (size_t i = 0; i < measurement.selection.count; ++i)
        if (campaign_check(&campaign, &measurement.selection.devices[i], error) != 0)
            goto out;
    outcome = measurement_begin(&measurement, count, arguments, error);
    if (outcome != 0)
        goto out;
    outcome = sources_note(&options->sources, &measurement, error);
    if (outcome == 0)
        outcome = measurement_each(&measurement, measure, &campaign, error);
    if (outcome == 0)
        outcome = print_rest(&run, error);
    if (outcome == 0)
        outcome = sources_write_header(&options->sources, &run.report, error);
    verdict_set ignored;
    *status = limits_report_status(&run.report, &ignored);
    outcome = measurement_interrupted(&measurement, outcome, error);
out:
    limits_report_fini(&run.report);
    measurement_close(&measurement);
    return outcome;
}

static const struct argp_child children[] = {{&measure_argp, 0, NULL, 0}, {&sources_argp, 0, NULL, 0}, {0}};

static const struct argp limits_argp = {
    .options = options_table,
    .parser = parse,
    .doc = "Measures how many work-groups of each footprint are resident on a device at the same time, and the largest "
           "number of groups over which a barrier passes. Without options it measures work-group sizes 1, 2, 4 ... and "
           "ladders of local and private memory.\vExit status: 0 each footprint that the device supports was measured; "
           "1 the estimators disagree, the limit is not monotone, a launch failed repeatedly, or a source does not "
           "build; 2 usage error; 3 the tool failed; 4 no device; 5 a device no longer works; 75 another run kept the "
           "device busy (gridlock resume continues); 77 nothing could be measured; 130, 143 ended by SIGINT, SIGTERM.",
    .children = children,
};

int command_limits(int count, char **arguments)
{
    struct limits_options options = {0};
    struct error error;
    enum status status = STATUS_OK;

    measure_options_init(&options.measure);
    parse_arguments(&limits_argp, count, arguments, &options);
    if (options.groups.count > SEARCH_GIVEN) {
        error_set(&error, STATUS_USAGE, "--groups: at most %d values are allowed", SEARCH_GIVEN);
        return report_error(&error);
    }
    return run_limits(&options, count, arguments, &status, &error) != 0 ? report_error(&error) : (int)status;
}
