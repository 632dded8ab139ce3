#include "cli/command.h"

#include "base/words.h"
#include "cli/exit_status.h"
#include "cli/lists.h"
#include "cli/measure.h"
#include "cli/options.h"
#include "cli/scheduled.h"
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

enum { NAMES_MOST = 4096, ITERATIONS_MOST = 1000000 };

struct run_options {
    struct measure_options measure;
    struct exit_options exit;
    struct operands names;
    struct catalog catalog; /* the scenarios with these names */
    struct known_patterns included, excluded;
    struct plan_settings plan;
    struct scheduled scheduled;
    bool shuffle, dry_run, verbose;
    struct lists lists;
    uint32_t max_fails;
};

/* --- options --- */

static int add_pattern(struct parsing *parsing, void *patterns, char *text)
{
    return known_patterns_add(patterns, text, &parsing->error) == 0
               ? 0
               : error_context(&parsing->error, "%s", parsing->name);
}

/* Weak fairness will do: idioms need that waits end, not how soon. Of each level the last one counts. */
static int take_model(struct parsing *parsing, void *kept, char *argument)
{
    const char *text = argument;
    model_set *set = &((struct models_kept *)kept)->of[level_take(&text)];
    enum litmus_model model;
    enum litmus_fairness fairness;

    if (litmus_read_promise(text, &model, &fairness, &parsing->error) != 0)
        return error_context(&parsing->error, "--model");
    *set = litmus_implied(model);
    return 0;
}

static int check_names(struct parsing *parsing)
{
    const struct run_options *options = parsing->options;

    if (options->names.count > NAMES_MOST)
        refuse_usage(parsing, "at most %d scenarios are allowed", NAMES_MOST);
    return 0;
}

#define AT(member) offsetof(struct run_options, member)

static const struct command_option options_table[] = {
    {"include", 't', 1, "RE...", "Run only points whose id matches this extended regular expression",
     .at = AT(included), .take = add_pattern},
    {"exclude", 'x', 1, "RE...", "Leave out points whose id matches this extended regular expression",
     .at = AT(excluded), .take = add_pattern},
    {"iterations", 0, 2, "N", "Launches per point (default: the scenario's)", .at = AT(plan.iterations),
     .take = take_count, .least = 1, .most = ITERATIONS_MOST, .given = AT(plan.iterations_given)},
    {"seed", 0, 2, "N", "Seed of data, delays and --shuffle (default: the scenario's)", .at = AT(plan.seed),
     .take = take_count, .most = UINT32_MAX, .given = AT(plan.seed_given)},
    {"shuffle", 0, 2, NULL, "Run the scenarios in random order", .at = AT(shuffle)},
    {"model", 0, 2, "[:weak|:strong]",
     "Progress model that the devices keep, as measured by gridlock progress; it decides rules that ask for one; of "
     "groups, unless a level stands before it, as in item:OBE (default: unknown)",
     .at = AT(plan.kept), .take = take_model, .names = &litmus_model_naming},
    {"schedule", 0, 2, "FILE",
     "Repeat one launch on a model device turn by turn; FILE is what gridlock explain --format schedule has written, "
     "and says which point, seed and device",
     .at = AT(scheduled.path)},
    {"shorten", 0, 3, NULL,
     "Of a launch that failed on a model device with turns=lot or turns=pct, look for a schedule that cuts fewer turns "
     "and comes to the same: up to 4000 launches more for a point",
     .at = AT(plan.shorten)},
    {"samples", 0, 3, NULL,
     "Keep how the groups of a stall came to stand, as the host saw it while they ran, for the page of the run: at "
     "most 64 KiB a point, of at most 2048 groups",
     .at = AT(plan.samples)},
    {"max-fails", 0, 3, "N", "Stop after N surprises; gridlock resume continues", .at = AT(max_fails),
     .take = take_count, .least = 1, .most = UINT32_MAX},
    {"dry-run", 0, 2, NULL, "Print what would be run, and run nothing", .at = AT(dry_run)},
    {"verbose", 'v', 4, NULL, "Print each point", .at = AT(verbose)},
    {0},
};

/* --- a run --- */

/* What the sweep's callbacks print from. */
struct run {
    const struct run_options *options;
    struct measurement *measurement;
    struct text_style style;
    struct report report;
    bool *matched; /* lines of known failures that say something of a point, in whatever process it was; shared */
};

static const struct run_device *last_device(const struct run *run)
{
    return &run->report.run.devices[run->report.run.count - 1];
}

static void point_ended(void *context, uint64_t done, uint64_t total, uint64_t surprises)
{
    measurement_share(((const struct run *)context)->measurement, done, total, surprises);
}

static int device_begun(void *context, struct error *error)
{
    struct run *run = context;
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
    status_line_clear(&run->measurement->line);
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
    /* If none is done, it was interrupted before there was anything to report. */
    if (run->measurement->done == 0 ||
        run_report_update(&run->report.run, run->measurement->settings.store, error) != 0)
        return -1;
    return measurement_print(run->measurement, &run->report, &run->style,
                             measurement_prints_bit_by_bit(run->measurement), error);
}

static int measure(void *context, const struct device_info *device, struct error *error)
{
    struct sweep *sweep = context;
    struct run *run = sweep->context;
    const int outcome = sweep_device(sweep, device, error);

    for (size_t i = 0; i < sweep->known->line_count; ++i)
        run->matched[i] = run->matched[i] || sweep->known->lines[i].matched;
    status_line_clear(&run->measurement->line);
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

    for (size_t i = 0; i < catalog->count; ++i)
        if (catalog->scenarios[i]->live_only && options->measure.live == LIVE_NO)
            free(catalog->scenarios[i]);
        else
            catalog->scenarios[kept++] = catalog->scenarios[i];
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
        for (size_t axis = 0; axis < scenario->axis_count; ++axis)
            if (scenario->axes[axis].line != 0)
                print_axis(&scenario->axes[axis]);
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

    escape_each(escape_text, stderr, "gridlock: ", command, " explains the first surprise\n", NULL);
    free(command);
}

static struct wanted wanted_of(const struct run_options *options)
{
    return (struct wanted){&options->included, &options->excluded, &options->lists.known.skips};
}

/* Nothing may be left to run only if the user allows that. */
static int check_wanted(const struct run_options *options, struct error *error)
{
    const struct wanted wanted = wanted_of(options);

    if (options->lists.allow_empty)
        return 0;
    return wanted_check(&wanted, options->catalog.scenarios, options->catalog.count, &options->plan, error);
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
        .wanted = wanted_of(options),
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
    scheduled_begin(&options->scheduled, &measurement.remote);
    outcome = measurement_each(&measurement, measure, &sweep, error);
    if (outcome == 0)
        outcome = print_rest(&run, error);
    if (outcome == 0)
        outcome = scheduled_check(&options->scheduled, &measurement.remote, error);
    verdict_set verdicts;
    *status = report_status(&run.report, &verdicts);
    const bool surprising = *status == STATUS_SURPRISE;
    if (outcome == 0 && *status == STATUS_USAGE)
        outcome = wanted_refuse(&sweep.wanted, sweep.scenarios, sweep.count, &options->plan, error);
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
    char *files[NAMES_MOST + LISTS_MOST + 1];
    size_t count = 0;

    for (size_t i = 0; i < options->names.count; ++i)
        if (catalog_is_file(options->names.words[i]))
            files[count++] = options->names.words[i];
    for (size_t i = 0; i < options->lists.count; ++i)
        files[count++] = options->lists.files[i];
    if (options->scheduled.path != NULL)
        files[count++] = (char *)options->scheduled.path;
    return measure_check_origin(&options->measure, files, count, error);
}

static int choose_scenarios(struct run_options *options, struct error *error)
{
    struct catalog *catalog = &options->catalog;

    if (check_origin(options, error) != 0 || lists_load(&options->lists, error) != 0 ||
        catalog_load(catalog, options->names.words, options->names.count, options->measure.common.kernel_folder,
                     error) != 0)
        return -1;
    leave_out_live(catalog, options);
    if (catalog->count == 0)
        return error_set(error, STATUS_USAGE, "nothing to run: scenarios that no fuse can end run only with --live");
    if (options->shuffle)
        catalog_shuffle(catalog, options->plan.seed);
    return 0;
}

static const struct command_part parts[] = {
    {&measure_line, AT(measure)}, {&point_exit_line, AT(exit)}, {&point_lists_line, AT(lists)}, {0}};

const struct command_line run_line = {
    .options = options_table,
    .parts = parts,
    .operands = AT(names),
    .check = check_names,
    .named = "[SCENARIO...]",
    .doc = "Runs scenarios with group counts below, at and above what the device holds, predicts each outcome, and "
           "reports up to how many groups each idiom is safe. SCENARIO is a name, a pattern, or an .ini file; without "
           "one, all are run.",
    .statuses = "0 everything as predicted; 1 a surprise, or --against does not hold; 2 usage error, an invalid "
                "scenario, or nothing to run; 3 the tool failed; 4 no device; 5 a device no longer works; 75 stopped "
                "by --max-fails, another run kept the device busy (gridlock resume continues), or points are left "
                "without a verdict; 77 nothing is supported; 130, 143 ended by SIGINT, SIGTERM",
};

int command_run(int count, char **arguments)
{
    static struct run_options options;
    struct error error;
    enum status status = STATUS_OK;

    options.exit.of = &verdict_naming;
    measure_options_init(&options.measure);
    parse_arguments(&run_line, count, arguments, &options);
    options.plan.live = options.measure.live != LIVE_NO;
    int outcome = options.dry_run ? refuse_format("--dry-run", options.measure.common.format, &error) : 0;
    if (outcome == 0)
        outcome = scheduled_choose(&options.scheduled, &options.measure, &options.included, &options.plan, &error);
    if (outcome == 0)
        outcome = choose_scenarios(&options, &error);
    if (outcome == 0)
        outcome = check_wanted(&options, &error);
    if (outcome == 0 && options.dry_run)
        print_plan(&options.catalog);
    else if (outcome == 0)
        outcome = run_scenarios(&options, count, arguments, &status, &error);
    catalog_fini(&options.catalog);
    schedule_file_fini(&options.scheduled.file);
    known_patterns_fini(&options.included);
    known_patterns_fini(&options.excluded);
    known_fini(&options.lists.known);
    return outcome != 0 ? report_error(&error) : (int)status;
}
