#include "cli/command.h"

#include "cli/measure.h"
#include "cli/options.h"
#include "engine/progress_device.h"
#include "host/signals.h"
#include "report/like.h"

#include <inttypes.h>
#include <stdio.h>

enum { ITERATIONS_DEFAULT = 20, ITERATIONS_MOST = 100000, LOCAL_SIZE_MOST = 1024 };

struct progress_options {
    struct measure_options measure;
    struct progress_axes axes;
    struct progress_expectation expectation;
    struct model_device models[OPTIONS_SELECTORS];
    size_t model_count;
    bool levels[LEVEL_COUNT + 1]; /* the last one: all */
    bool suite_given, mappings_given, engines_given, levels_given, no_limit;
};

/* --- options --- */

static int take_expectation(struct parsing *parsing, void *expectation, char *argument)
{
    return progress_expectation_parse(argument, expectation, &parsing->error) == 0
               ? 0
               : error_context(&parsing->error, "--expect");
}

/* Model devices are no selectors of OpenCL devices. */
static int take_models(struct progress_options *options, struct error *error)
{
    struct common_options *common = &options->measure.common;
    struct device_info ignored;
    size_t kept = 0;

    for (size_t i = 0; i < common->selector_count; ++i) {
        if (!model_device_is_named(common->selectors[i]))
            common->selectors[kept++] = common->selectors[i];
        else if (like_read(common->selectors[i], &options->models[options->model_count], &ignored, error) != 0 ||
                 model_device_check_litmus(&options->models[options->model_count++], error) != 0)
            return -1;
    }
    common->selector_count = kept;
    return 0;
}

/* What is expected of a level that is not run would be true whatever the device does. */
static int check_expectation(const struct progress_options *options, struct error *error)
{
    for (enum block_level level = 0; level < LEVEL_COUNT; ++level)
        for (enum litmus_model model = 0; model < LITMUS_MODELS && !options->axes.levels[level]; ++model)
            if (options->expectation.models[level][model][LITMUS_WEAK])
                return error_set(error, STATUS_USAGE, "--expect: something of level %s, which --level leaves out",
                                 level_name(level));
    return 0;
}

static int check(struct parsing *parsing)
{
    struct progress_options *options = parsing->options;
    struct error *error = &parsing->error;
    struct progress_axes *axes = &options->axes;

    if (options->measure.live != LIVE_NO)
        return error_set(error, STATUS_USAGE, "--live does not apply: litmus tests always have a fuse");
    if (options->suite_given && axes->tests_file != NULL)
        return error_set(error, STATUS_USAGE, "--suite and --tests cannot be used together");
    if (axes->tests_file != NULL)
        axes->suite = SUITE_FILE;
    axes->mappings_of_level = !options->mappings_given;
    for (int i = 0; i < LEVEL_COUNT; ++i)
        axes->levels[i] =
            options->levels[i] || options->levels[LEVEL_COUNT] || (i == LEVEL_GROUP && !options->levels_given);
    if (!options->engines_given)
        axes->engines[ENGINE_TABLE] = true;
    if (!axes->guards[0] && !axes->guards[1])
        axes->guards[0] = true;
    if (axes->local_sizes.count == 0)
        axes->local_sizes = (struct axis){.values = {1}, .count = 1};
    return take_models(options, error) == 0 ? check_expectation(options, error) : -1;
}

static const struct naming guards = NAMING("off", "on");
static const struct naming levels = NAMING("group", "sub-group", "item", "lane", "all");

#define AT(member) offsetof(struct progress_options, member)

static const struct command_option options_table[] = {
    {"suite", 0, 1, NULL,
     "Run the most telling tests, or all tests of 2 threads with up to 4 instructions and of 3 threads with 3 and 4 "
     "(default: quick)",
     .at = AT(axes.suite), .names = &progress_suite_option, .given = AT(suite_given)},
    {"tests", 0, 1, "FILE", "Run the tests in this file, written as gridlock litmus reads and writes them",
     .at = AT(axes.tests_file)},
    {"level", 0, 1, NULL,
     "What the threads of tests are: work-groups; or in one group its sub-groups, its work-items, or those of one "
     "sub-group (default: group)",
     .at = AT(levels), .take = take_names, .names = &levels, .given = AT(levels_given)},
    {"mapping", 0, 2, NULL,
     "How threads of tests are mapped to work-groups, or what they are instead (default: all; of groups all but "
     "reversed and gaps)",
     .at = AT(axes.mappings), .take = take_names, .names = &mapping_naming, .given = AT(mappings_given)},
    {"engine", 0, 2, NULL,
     "One kernel for all tests, or one kernel for each test with a branch for each thread, or for all threads of equal "
     "text; of groups the engines are compared (default: table)",
     .at = AT(axes.engines), .take = take_names, .names = &engine_naming, .given = AT(engines_given)},
    {"groups", 0, 2, "N",
     "Largest number of work-groups in a launch, or of what threads are instead (default: a few more than the device "
     "holds)",
     .at = AT(axes.groups), .take = take_count, .least = 1, .most = LIMIT_SEARCH_GROUPS},
    {"local-size", 0, 2, "N,...",
     "Work-items per group, of which one acts, or below groups all (default: 1; below groups 64, on a GPU 1024)",
     .at = AT(axes.local_sizes), .take = take_axis, .least = 1, .most = LOCAL_SIZE_MOST},
    {"guard", 0, 2, NULL,
     "Whether kernels have a barrier and a local array, without which some drivers merge small groups (default: off)",
     .at = AT(axes.guards), .take = take_names, .names = &guards},
    {"iterations", 0, 2, "N", "Launches per test (default: 20; below groups, on a CPU, 5)", .at = AT(axes.iterations),
     .take = take_count, .least = 1, .most = ITERATIONS_MOST, .given = AT(axes.iterations_asked)},
    {"seed", 0, 2, "N", "Seed of the random and shuffled mappings and of model devices (default: 1)",
     .at = AT(axes.seed), .take = take_count, .most = UINT32_MAX},
    {"no-limit", 0, 2, NULL, "Do not search for the number of groups that may wait for later ones", .at = AT(no_limit)},
    {"expect", 0, 3, "[:weak|:strong]",
     "Report a surprise if a device breaks this model (under strong fairness unless :weak is given) or a model that it "
     "implies; of groups, unless a level stands before it, as in sub-group:OBE",
     .at = AT(expectation), .take = take_expectation, .names = &litmus_model_naming},
    {0},
};

/* --- a run --- */

static void tick(void *run, uint32_t done)
{
    progress_tick(run, done);
}

static int measure(void *run, const struct device_info *device, struct error *error)
{
    return progress_device(run, device, error);
}

static int run_model(struct progress_run *run, struct measurement *measurement, const struct model_device *device,
                     uint32_t seed, struct error *error)
{
    struct model_executor model = {.device = *device, .seed = seed, .tick = tick, .context = run};
    struct device_info info;

    executor_describe_model(device, &info);
    run->executor = executor_of_model(&model);
    const int outcome = measurement_device(measurement, measure, run, &info, error);
    return measurement_device_ended(measurement, outcome, error);
}

static int run_devices(struct progress_run *run, struct measurement *measurement,
                       const struct progress_options *options, struct error *error)
{
    int outcome = 0;

    for (size_t i = 0; i < options->model_count && outcome == 0 && signals_received() == 0; ++i)
        outcome = run_model(run, measurement, &options->models[i], options->axes.seed, error);
    run->executor = executor_of_worker(&measurement->worker);
    return outcome == 0 ? measurement_each(measurement, measure, run, error) : -1;
}

static int print(struct measurement *measurement, const struct progress_options *options, enum status *status,
                 struct error *error)
{
    struct report report = {.kind = REPORT_PROGRESS, .expectation = options->expectation};
    int outcome = report_read_measured(&report, measurement->settings.store, error);

    outcome = measurement_report(measurement, &report, outcome, status, error);
    report_fini(&report);
    return outcome;
}

/* A launch has at least one instance of its test. */
static int check_groups(const struct progress_axes *axes, const struct progress_tests *tests, struct error *error)
{
    if (axes->groups == 0 || axes->groups >= tests->threads)
        return 0;
    return error_set(error, STATUS_USAGE, "--groups %" PRIu32 ": a test has %u threads, and each thread needs a group",
                     axes->groups, tests->threads);
}

static int run_progress(const struct progress_options *options, int count, char **arguments, enum status *status,
                        struct error *error)
{
    struct measurement measurement = {0};
    struct progress_tests tests = {.count = 0};
    struct progress_run run = {.settings = &measurement.settings,
                               .axes = &options->axes,
                               .tests = &tests,
                               .limit = !options->no_limit,
                               .tests_ended = measurement_share,
                               .context = &measurement};
    const bool emulated = options->model_count > 0 && options->measure.common.selector_count == 0;
    int outcome = -1;

    if (measure_check_origin(&options->measure, (char *[]){(char *)options->axes.tests_file},
                             options->axes.tests_file != NULL, error) != 0 ||
        progress_tests_read(&tests, &options->axes, error) != 0 || check_groups(&options->axes, &tests, error) != 0 ||
        measurement_open(&measurement, &options->measure, !emulated, error) != 0 ||
        measurement_begin(&measurement, count, arguments, error) != 0)
        goto out;
    if (options->axes.suite == SUITE_FILE &&
        measurement_note_source(&measurement, options->axes.tests_file, tests.digest, "", error) != 0)
        goto out;
    outcome = run_devices(&run, &measurement, options, error);
    if (outcome == 0)
        outcome = print(&measurement, options, status, error);
    outcome = measurement_interrupted(&measurement, outcome, error);
out:
    progress_tests_fini(&tests);
    measurement_close(&measurement);
    return outcome;
}

static const struct command_part parts[] = {{&measure_line, AT(measure)}, {0}};

const struct command_line progress_line = {
    .options = options_table,
    .parts = parts,
    .check = check,
    .doc =
        "Runs litmus tests, small programs whose threads are work-groups that wait for each other, or what is in one "
        "group, and says which "
        "progress models the device breaks, each with the shortest test that shows it, and which it does not break.",
    .notes =
        "Model devices need no OpenCL and keep exactly one model. Choose one with --device model:unfair, "
        "model:hsa, model:obe:N, model:hsa_obe:N, model:lobe:N or model:fair, optionally followed by :weak; N is "
        "the number of groups that it holds. model:serial[:down] runs the work-items of a group one after the other, "
        "model:lockstep[:down][:fall-through] in lock-step, and no other kernels.",
    .statuses = "0 the tests were run; 1 a device breaks the expected model, the engines disagree, some tests were not "
                "finished, or --against does not hold; 2 usage error, or a malformed test; 3 the tool failed; 4 no "
                "device; 5 a device no longer works; 75 another run kept the device busy (gridlock resume continues); "
                "77 nothing is supported; 130, 143 ended by SIGINT, SIGTERM",
};

int command_progress(int count, char **arguments)
{
    static struct progress_options options;
    struct error error;
    enum status status = STATUS_OK;

    options = (struct progress_options){.axes = {.iterations = ITERATIONS_DEFAULT, .seed = 1}};
    measure_options_init(&options.measure);
    options.measure.unit = UNIT_TESTS;
    parse_arguments(&progress_line, count, arguments, &options);
    return run_progress(&options, count, arguments, &status, &error) != 0 ? report_error(&error) : (int)status;
}
