#include "cli/command.h"

#include "base/words.h"
#include "cli/exit_status.h"
#include "cli/lists.h"
#include "cli/measure.h"
#include "cli/options.h"
#include "cli/output.h"
#include "core/text.h"
#include "engine/catalog.h"
#include "engine/sweep.h"
#include "format/escape.h"
#include "format/run.h"
#include "host/jobs.h"
#include "litmus/classify.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_SEED = 0x200,
    KEY_ITERATIONS,
    KEY_SHUFFLE,
    KEY_DRY_RUN,
    KEY_SAMPLES,
    KEY_MAX_FAILS,
    KEY_MODEL,
    NAMES_MOST = 4096,
    ITERATIONS_MOST = 1000000,
};

struct run_options {
    struct measure_options measure;
    struct exit_options exit;
    char *names[NAMES_MOST];
    size_t count;
    struct catalog catalog; /* the scenarios with these names */
    struct known_patterns included, excluded;
    struct plan_settings plan;
    bool shuffle, dry_run, verbose;
    struct lists lists;
    uint32_t max_fails;
};

/* --- options --- */

static int add_pattern(const char *option, struct known_patterns *patterns, const char *text, struct error *error)
{
    return known_patterns_add(patterns, text, error) == 0 ? 0 : error_context(error, "%s", option);
}

/* Weak fairness will do: idioms need that waits end, not how soon. */
static int set_model(struct run_options *options, const char *text, struct error *error)
{
    enum litmus_model model;
    enum litmus_fairness fairness;

    if (litmus_read_promise(text, &model, &fairness, error) != 0)
        return error_context(error, "--model");
    options->plan.kept = 0;
    for (enum litmus_model other = 0; other < LITMUS_MODELS; ++other)
        if (litmus_implies(model, fairness, other, LITMUS_WEAK))
            options->plan.kept |= UINT32_C(1) << other;
    return 0;
}

static int parse_option(struct run_options *options, int key, char *argument, struct error *error)
{
    switch (key) {
    case 't':
        return add_pattern("--include", &options->included, argument, error);
    case 'x':
        return add_pattern("--exclude", &options->excluded, argument, error);
    case KEY_SEED:
        options->plan.seed_given = true;
        return parse_count("--seed", argument, 0, UINT32_MAX, &options->plan.seed, error);
    case KEY_ITERATIONS:
        options->plan.iterations_given = true;
        return parse_count("--iterations", argument, 1, ITERATIONS_MOST, &options->plan.iterations, error);
    case KEY_MAX_FAILS:
        return parse_count("--max-fails", argument, 1, UINT32_MAX, &options->max_fails, error);
    case KEY_MODEL:
        return set_model(options, argument, error);
    case KEY_SHUFFLE:
        options->shuffle = true;
        return 0;
    case KEY_SAMPLES:
        options->plan.samples = true;
        return 0;
    case KEY_DRY_RUN:
        options->dry_run = true;
        return 0;
    case 'v':
        options->verbose = true;
        return 0;
    default:
        return 1;
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct run_options *options = state->input;
    struct error error;

    if (key == ARGP_KEY_INIT) {
        state->child_inputs[0] = &options->measure;
        state->child_inputs[1] = &options->exit;
        state->child_inputs[2] = &options->lists;
        return 0;
    }
    if (key == ARGP_KEY_ARG) {
        if (options->count == NAMES_MOST)
            argp_error(state, "at most %d scenarios are allowed", NAMES_MOST);
        options->names[options->count++] = argument;
        return 0;
    }
    return option_parsed(parse_option(options, key, argument, &error), &error);
}

static const struct argp_option options_table[] = {
    {"include", 't', "RE...", 0, "Run only points whose id matches this extended regular expression", 1},
    {"exclude", 'x', "RE...", 0, "Leave out points whose id matches this extended regular expression", 1},
    {"iterations", KEY_ITERATIONS, "N", 0, "Launches per point (default: the scenario's)", 2},
    {"seed", KEY_SEED, "N", 0, "Seed of data, delays and --shuffle (default: the scenario's)", 2},
    {"shuffle", KEY_SHUFFLE, NULL, 0, "Run the scenarios in random order", 2},
    {"model", KEY_MODEL, "HSA|OBE|HSA_OBE|LOBE|FAIR[:weak|:strong]", 0,
     "Progress model that the devices keep, as measured by gridlock progress; it decides rules that ask for one "
     "(default: unknown)",
     2},
    {"samples", KEY_SAMPLES, NULL, 0,
     "Keep how the groups of a stall came to stand, as the host saw it while they ran, for the page of the run: at "
     "most 64 KiB a point, of at most 2048 groups",
     3},
    {"max-fails", KEY_MAX_FAILS, "N", 0, "Stop after N surprises; gridlock resume continues", 3},
    {"dry-run", KEY_DRY_RUN, NULL, 0, "Print what would be run, and run nothing", 2},
    {"verbose", 'v', NULL, 0, "Print each point", 4},
    {0},
};

/* --- a run --- */

/* What the sweep's callbacks print from. */
struct run {
    const struct run_options *options;
    struct measurement *measurement;
    struct text_style style;
    struct report report;
    struct status_line progress;
    bool *matched; /* lines of known failures that say something of a point, in whatever process it was; shared */
};

static const struct run_device *last_device(const struct run *run)
{
    return &run->report.run.devices[run->report.run.count - 1];
}

static void point_ended(void *context, uint64_t done, uint64_t total, uint64_t surprises)
{
    struct run *run = context;
    status_line_points(&run->progress, done, total, surprises);
}

static int device_begun(void *context, struct error *error)
{
    struct run *run = context;
    status_line_begin(&run->progress, measurement_status_line(run->measurement));
    if (!measurement_prints_bit_by_bit(run->measurement))
        return 0;
    if (run_report_update(&run->report.run, run->measurement->settings.store, error) != 0)
        return -1;
    if (run->report.run.count > 1)
        putchar('\n');
    run_text_heading(stdout, last_device(run));
    output_flush();
    return 0;
}

static int scenario_ended(void *context, const struct scenario *scenario, struct error *error)
{
    struct run *run = context;
    if (!measurement_prints_bit_by_bit(run->measurement))
        return 0;
    status_line_clear(&run->progress);
    if (run_report_update(&run->report.run, run->measurement->settings.store, error) != 0)
        return -1;
    const struct run_device *device = last_device(run);
    for (size_t i = 0; i < device->count; ++i) {
        if (strcmp(device->scenarios[i].name, scenario->name) != 0)
            continue;
        run_text_scenario(stdout, run->style.colors, device, &device->scenarios[i]);
        if (run->style.verbose)
            run_text_points(stdout, run->style.colors, &device->scenarios[i]);
        output_flush();
    }
    return 0;
}

/* main says if stdout could not be written. */
static int print_rest(struct run *run, struct error *error)
{
    if (run->measurement->done == 0)
        return -1; /* interrupted before there was anything to report */
    if (run_report_update(&run->report.run, run->measurement->settings.store, error) != 0)
        return -1;
    return measurement_print(run->measurement, &run->report, &run->style,
                             measurement_prints_bit_by_bit(run->measurement), error);
}

static int measure(void *context, const struct device_info *device, struct error *error)
{
    struct sweep *sweep = context;
    struct run *run = sweep->context;
    const int outcome = sweep_device(sweep, device, error);

    for (size_t i = 0; run->matched != NULL && i < sweep->known->line_count; ++i)
        if (sweep->known->lines[i].matched)
            run->matched[i] = true;
    status_line_clear(&run->progress);
    if (outcome == 0 && measurement_prints_bit_by_bit(run->measurement))
        run_text_summary(stdout, run->style.colors, &run->report, run->report.run.count - 1);
    return outcome;
}

static uint32_t fails_elsewhere(void *context)
{
    return measurement_fails_elsewhere(((const struct run *)context)->measurement);
}

static void leave_out_live(struct catalog *catalog, const struct run_options *options)
{
    size_t kept = 0;
    for (size_t i = 0; i < catalog->count; ++i) {
        if (catalog->scenarios[i]->live_only && options->measure.live == LIVE_NO) {
            free(catalog->scenarios[i]);
            continue;
        }
        catalog->scenarios[kept++] = catalog->scenarios[i];
    }
    catalog->count = kept;
}

static void print_axis(const struct axis_text *axis)
{
    int column = printf("    %-12s", axis->name);

    for (size_t item = 0; item < axis->count; ++item) {
        const char *comma = item + 1 < axis->count ? "," : "";
        if (item > 0 && column + 1 + (int)(strlen(axis->items[item]) + strlen(comma)) > 80)
            column = printf("\n%16s", "") - 1;
        column += printf(" %s%s", axis->items[item], comma);
    }
    putchar('\n');
}

static void print_plan(const struct catalog *catalog)
{
    for (size_t i = 0; i < catalog->count; ++i) {
        const struct scenario *scenario = catalog->scenarios[i];
        printf("%s\n", scenario->name);
        for (size_t axis = 0; axis < scenario->axis_count; ++axis) {
            if (scenario->axes[axis].line == 0)
                continue;
            print_axis(&scenario->axes[axis]);
        }
    }
}

/* The store keeps a digest of each of the user's own files; what the program carries goes with its version. */
static int note_sources(const struct measurement *measurement, const struct catalog *catalog, struct error *error)
{
    for (size_t i = 0; i < catalog->count; ++i) {
        const struct scenario *scenario = catalog->scenarios[i];
        if (scenario->folder[0] != '\0' &&
            measurement_note_source(measurement, scenario->file, scenario->digest, ", or its kernel,", error) != 0)
            return -1;
    }
    return 0;
}

static void name_next_step(const char *path)
{
    char *command = words_join((char *[]){"gridlock", "explain", (char *)path}, 3);

    if (command == NULL)
        return;
    escape_each(escape_text, stderr, "gridlock: ", command, " explains the first surprise\n", NULL);
    free(command);
}

static int run_scenarios(struct run_options *options, int count, char **arguments, enum status *status,
                         struct error *error)
{
    struct measurement measurement;
    struct run run = {.options = options,
                      .measurement = &measurement,
                      .style = {options->verbose, stdout_colors(options->measure.color)},
                      .matched = jobs_share(options->lists.known.line_count * sizeof(bool))};
    int outcome = -1;
    struct sweep sweep = {
        .settings = &measurement.settings,
        .executor = executor_of_worker(&measurement.worker),
        .scenarios = options->catalog.scenarios,
        .count = options->catalog.count,
        .plan_settings = options->plan,
        .included = &options->included,
        .excluded = &options->excluded,
        .known = &options->lists.known,
        .max_fails = options->max_fails,
        .fails_elsewhere = fails_elsewhere,
        .device_begun = device_begun,
        .scenario_ended = scenario_ended,
        .point_ended = point_ended,
        .context = &run,
    };

    if (measurement_open(&measurement, &options->measure, true, error) != 0 ||
        measurement_begin(&measurement, count, arguments, error) != 0 ||
        note_sources(&measurement, &options->catalog, error) != 0 ||
        report_read_heads(&run.report, measurement.settings.store, error) != 0)
        goto out;
    outcome = measurement_each(&measurement, measure, &sweep, error);
    if (outcome == 0)
        outcome = print_rest(&run, error);
    verdict_set verdicts;
    *status = report_status(&run.report, &verdicts);
    const bool surprising = *status == STATUS_SURPRISE;
    *status = exit_status(&options->exit, *status, verdicts);
    const uint32_t fails = sweep.fails + measurement_fails_elsewhere(&measurement);
    if (outcome == 0 && sweep.max_fails != 0 && fails >= sweep.max_fails)
        outcome = error_set(error, STATUS_STOPPED, "stopped after %" PRIu32 " surprise%s; gridlock resume %s continues",
                            fails, text_s(fails), measurement.path);
    if (outcome == 0 && *status == STATUS_OK && options->measure.continued != NULL &&
        (verdicts & UINT32_C(1) << VERDICT_INCOMPLETE) != 0)
        outcome =
            error_set(error, STATUS_STOPPED,
                      "points that had begun have no verdict; gridlock resume --retry-incomplete %s runs them again",
                      measurement.path);
    outcome = measurement_interrupted(&measurement, outcome, error);
    if (surprising && !options->measure.common.quiet)
        name_next_step(measurement.path);
    if (outcome == 0 && !options->measure.common.quiet)
        lists_name_unused(&options->lists.known, run.matched, "point");
out:
    report_fini(&run.report);
    measurement_close(&measurement);
    return outcome;
}

/* Names of scenarios that are files, and lists. */
static int check_origin(const struct run_options *options, struct error *error)
{
    char *files[NAMES_MOST + LISTS_MOST];
    size_t count = 0;

    for (size_t i = 0; i < options->count; ++i)
        if (catalog_is_file(options->names[i]))
            files[count++] = options->names[i];
    for (size_t i = 0; i < options->lists.count; ++i)
        files[count++] = options->lists.files[i];
    return measure_check_origin(&options->measure, files, count, error);
}

static int choose_scenarios(struct run_options *options, struct error *error)
{
    struct catalog *catalog = &options->catalog;

    if (check_origin(options, error) != 0 || lists_load(&options->lists, error) != 0)
        return -1;
    if (catalog_load(catalog, options->names, options->count, options->measure.common.kernel_folder, error) != 0)
        return -1;
    leave_out_live(catalog, options);
    if (catalog->count == 0)
        return error_set(error, STATUS_USAGE, "nothing to run: scenarios that no fuse can end run only with --live");
    if (options->shuffle)
        catalog_shuffle(catalog, options->plan.seed);
    return 0;
}

static const struct argp_child children[] = {
    {&measure_argp, 0, NULL, 0}, {&point_exit_argp, 0, NULL, 0}, {&point_lists_argp, 0, NULL, 0}, {0}};

static const struct argp run_argp = {
    .options = options_table,
    .parser = parse,
    .args_doc = "[SCENARIO...]",
    .doc = "Runs scenarios with group counts below, at and above what the device holds, predicts each outcome, and "
           "reports up to how many groups each idiom is safe. SCENARIO is a name, a pattern, or an .ini file; without "
           "one, all are run.\vExit status: 0 everything as predicted; 1 a surprise; 2 usage error, or an invalid "
           "scenario; 3 the tool failed; 4 no device; 5 a device no longer works; 75 stopped by --max-fails, "
           "another run kept the device busy (gridlock resume continues), or points are left without a verdict; 77 "
           "nothing is supported; 130, 143 ended by "
           "SIGINT, SIGTERM.",
    .children = children,
};

int command_run(int count, char **arguments)
{
    static struct run_options options;
    struct error error;
    enum status status = STATUS_OK;

    options.exit.of = &verdict_naming;
    measure_options_init(&options.measure);
    parse_arguments(&run_argp, count, arguments, &options);
    options.plan.live = options.measure.live != LIVE_NO;
    int outcome = choose_scenarios(&options, &error);
    if (outcome == 0 && options.dry_run)
        print_plan(&options.catalog);
    else if (outcome == 0)
        outcome = run_scenarios(&options, count, arguments, &status, &error);
    catalog_fini(&options.catalog);
    known_patterns_fini(&options.included);
    known_patterns_fini(&options.excluded);
    known_fini(&options.lists.known);
    return outcome != 0 ? report_error(&error) : (int)status;
}
