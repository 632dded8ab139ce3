#include "cli/run.h"

#include "cli/catalog.h"
#include "cli/live.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/run_file.h"
#include "cli/selection.h"
#include "cli/sweep.h"
#include "host/signals.h"
#include "report/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_SEED = 0x200,
    KEY_ITERATIONS,
    KEY_SHUFFLE,
    KEY_DRY_RUN,
    KEY_LIVE,
    KEY_YES,
    KEY_STALL_BUDGET,
    NAMES_MOST = 4096,
    ITERATIONS_MOST = 1000000,
    STALL_BUDGET_MOST_MS = 3600000,
    STALL_BUDGET_LIVE_MS = 500,
};

struct run_options {
    struct common_options common;
    char *names[NAMES_MOST];
    size_t count;
    const char *included[SWEEP_PATTERNS], *excluded[SWEEP_PATTERNS];
    size_t included_count, excluded_count;
    uint64_t seed, iterations, stall_budget_ms;
    bool seed_given, iterations_given;
    bool shuffle, dry_run, verbose;
    enum live live;
    bool yes;
    const char *run_file;
};

/* --- options --- */

static int add_pattern(const char *option, const char **patterns, size_t *count, const char *pattern,
                       struct error *error)
{
    if (*count == SWEEP_PATTERNS)
        return error_set(error, STATUS_USAGE, "%s: at most %d are allowed", option, SWEEP_PATTERNS);
    patterns[(*count)++] = pattern;
    return 0;
}

static int parse_option(struct run_options *options, int key, char *argument, struct error *error)
{
    switch (key) {
    case 't':
        return add_pattern("--include", options->included, &options->included_count, argument, error);
    case 'x':
        return add_pattern("--exclude", options->excluded, &options->excluded_count, argument, error);
    case KEY_SEED:
        options->seed_given = true;
        return parse_number("--seed", argument, 0, UINT32_MAX, &options->seed, error);
    case KEY_ITERATIONS:
        options->iterations_given = true;
        return parse_number("--iterations", argument, 1, ITERATIONS_MOST, &options->iterations, error);
    case KEY_STALL_BUDGET:
        return parse_number("--stall-budget", argument, 1, STALL_BUDGET_MOST_MS, &options->stall_budget_ms, error);
    case KEY_SHUFFLE:
        options->shuffle = true;
        return 0;
    case KEY_DRY_RUN:
        options->dry_run = true;
        return 0;
    case KEY_LIVE:
        return live_parse(argument, &options->live, error);
    case KEY_YES:
        options->yes = true;
        return 0;
    case 'v':
        options->verbose = true;
        return 0;
    case 'o':
        options->run_file = argument;
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
        state->child_inputs[0] = &options->common;
        return 0;
    }
    if (key == ARGP_KEY_ARG) {
        if (options->count == NAMES_MOST)
            argp_error(state, "at most %d scenarios are allowed", NAMES_MOST);
        options->names[options->count++] = argument;
        return 0;
    }
    int outcome = parse_option(options, key, argument, &error);
    if (outcome < 0)
        usage_error(&error);
    return outcome > 0 ? ARGP_ERR_UNKNOWN : 0;
}

static const struct argp_option options_table[] = {
    {"include", 't', "RE", 0, "Run only points whose id matches this extended regular expression (repeatable)", 1},
    {"exclude", 'x', "RE", 0, "Leave out points whose id matches it (repeatable)", 1},
    {"iterations", KEY_ITERATIONS, "N", 0, "Launches of each point (default: the scenario's)", 2},
    {"seed", KEY_SEED, "N", 0, "Of data, delays and --shuffle (default: the scenario's)", 2},
    {"shuffle", KEY_SHUFFLE, NULL, 0, "Run the scenarios in an order drawn by lot", 2},
    {"stall-budget", KEY_STALL_BUDGET, "MS", 0,
     "Time without a change after which a launch has stalled (default: by the device; with --live 500)", 2},
    {"dry-run", KEY_DRY_RUN, NULL, 0, "Print what would be swept, and run nothing", 2},
    {"live", KEY_LIVE, "any", OPTION_ARG_OPTIONAL,
     "Wait without fuse and without stop word, so that a stall must be killed: on CPU devices, or with --live=any on "
     "any device, which may take the machine down",
     3},
    {"yes", KEY_YES, NULL, 0, "Do not ask before --live=any", 3},
    {"verbose", 'v', NULL, 0, "Print each point", 4},
    {"run", 'o', "FILE", 0, "Run file to write; it must not exist (default: a new one in the user's state directory)",
     4},
    {0},
};

static int compile(const char *option, const char *const *patterns, size_t count, regex_t *compiled, size_t *done,
                   struct error *error)
{
    for (*done = 0; *done < count; ++*done)
        if (regcomp(&compiled[*done], patterns[*done], REG_EXTENDED | REG_NOSUB) != 0)
            return error_set(error, STATUS_USAGE, "%s %.60s: it is no extended regular expression", option,
                             patterns[*done]);
    return 0;
}

/* --- a run --- */

/* What the sweep's callbacks print from. */
struct run {
    const struct run_options *options;
    struct store *store;
    struct run_report report;
};

static struct run_device *last_device(struct run *run)
{
    return &run->report.devices[run->report.count - 1];
}

static int device_begun(void *context, struct error *error)
{
    struct run *run = context;
    if (run_report_update(&run->report, run->store, error) != 0)
        return -1;
    if (run->options->common.format == FORMAT_TEXT) {
        if (run->report.count > 1)
            putchar('\n');
        run_text_heading(stdout, last_device(run));
        output_flush();
    }
    return 0;
}

static int scenario_ended(void *context, const struct scenario *scenario, struct error *error)
{
    struct run *run = context;
    if (run_report_update(&run->report, run->store, error) != 0)
        return -1;
    const struct run_device *device = last_device(run);
    for (size_t i = 0; run->options->common.format == FORMAT_TEXT && i < device->count; ++i) {
        if (strcmp(device->scenarios[i].name, scenario->name) != 0)
            continue;
        run_text_scenario(stdout, device, &device->scenarios[i]);
        if (run->options->verbose)
            run_text_points(stdout, &device->scenarios[i]);
        output_flush();
    }
    return 0;
}

static int sweep_devices(struct run *run, struct sweep *sweep, const struct selection *selection, struct error *error)
{
    size_t swept = 0;

    for (size_t i = 0; i < selection->count && signals_received() == 0; ++i) {
        if (sweep_device(sweep, &selection->devices[i], error) == 0) {
            ++swept;
            if (run->options->common.format == FORMAT_TEXT)
                run_text_summary(stdout, last_device(run));
            continue;
        }
        /* One device that cannot be used does not keep the others from being swept. */
        const bool goes_on = error->status == STATUS_UNSUPPORTED || error->status == STATUS_NO_DEVICE;
        if (!goes_on || (swept == 0 && i == selection->count - 1))
            return -1;
        report_error(error);
    }
    if (swept == 0)
        return -1; /* interrupted before there was anything to report */
    return run->options->common.format == FORMAT_JSON ? run_json(stdout, &run->report, error) : 0;
}

static void leave_out_live(struct catalog *catalog, const struct run_options *options)
{
    size_t kept = 0;
    for (size_t i = 0; i < catalog->count; ++i) {
        if (catalog->scenarios[i]->live_only && options->live == LIVE_NO) {
            free(catalog->scenarios[i]);
            continue;
        }
        catalog->scenarios[kept++] = catalog->scenarios[i];
    }
    catalog->count = kept;
}

static void print_plan(const struct catalog *catalog)
{
    for (size_t i = 0; i < catalog->count; ++i) {
        const struct scenario *scenario = catalog->scenarios[i];
        printf("%s\n", scenario->name);
        for (size_t axis = 0; axis < scenario->axis_count; ++axis) {
            if (scenario->axes[axis].line == 0)
                continue;
            printf("    %-12s", scenario->axes[axis].name);
            for (size_t item = 0; item < scenario->axes[axis].count; ++item)
                printf("%s %s", item > 0 ? "," : "", scenario->axes[axis].items[item]);
            putchar('\n');
        }
    }
}

static uint64_t stall_budget_ms(const struct run_options *options)
{
    if (options->stall_budget_ms != 0)
        return options->stall_budget_ms;
    return options->live != LIVE_NO ? STALL_BUDGET_LIVE_MS : 0;
}

static int run_on_devices(const struct run_options *options, const struct sweep *asked, int count, char **arguments,
                          enum status *status, struct error *error)
{
    char path[4096];
    struct remote remote = {0};
    struct run run = {.options = options};
    struct sweep sweep = *asked;
    struct selection selection = {0};
    int outcome = -1;

    if (selection_open(&options->common, &remote.supervisor, error) != 0)
        return -1;
    if (selection_make(&selection, &remote, &options->common, error) != 0)
        goto out;
    for (size_t i = 0; i < selection.count; ++i)
        if (live_confirm(options->live, options->yes, &selection.devices[i], error) != 0)
            goto out;
    if (run_file_create(options->run_file, count, arguments, path, sizeof path, &run.store, error) != 0)
        goto out;
    sweep.remote = &remote;
    sweep.store = run.store;
    sweep.context = &run;
    if (!options->common.quiet)
        fprintf(stderr, "gridlock: run file %s\n", path);
    outcome = sweep_devices(&run, &sweep, &selection, error);
    *status = run_report_status(&run.report);
    if (signals_received() != 0)
        outcome =
            error_set(error, (enum status)(128 + signals_received()), "interrupted; %s holds what was measured", path);
out:
    supervisor_close(remote.supervisor);
    run_report_fini(&run.report);
    store_close(run.store);
    selection_fini(&selection);
    return outcome;
}

static int run_scenarios(const struct run_options *options, int count, char **arguments, enum status *status,
                         struct error *error)
{
    struct catalog catalog = {0};
    int outcome = -1;
    struct sweep sweep = {
        .channel = options->common.channel,
        .seed_given = options->seed_given,
        .seed = (uint32_t)options->seed,
        .iterations_given = options->iterations_given,
        .iterations = (uint32_t)options->iterations,
        .live = options->live != LIVE_NO,
        .stall_budget_ns = stall_budget_ms(options) * 1000000u,
        .device_begun = device_begun,
        .scenario_ended = scenario_ended,
    };

    if (compile("--include", options->included, options->included_count, sweep.included, &sweep.included_count,
                error) != 0 ||
        compile("--exclude", options->excluded, options->excluded_count, sweep.excluded, &sweep.excluded_count,
                error) != 0)
        goto out;
    if (catalog_load(&catalog, options->names, options->count, options->common.kernel_folder, error) != 0)
        goto out;
    leave_out_live(&catalog, options);
    if (catalog.count == 0) {
        error_set(error, STATUS_USAGE, "nothing to run: scenarios that no fuse can end are run with --live only");
        goto out;
    }
    if (options->shuffle)
        catalog_shuffle(&catalog, (uint32_t)options->seed);
    sweep.scenarios = catalog.scenarios;
    sweep.count = catalog.count;
    if (options->dry_run)
        print_plan(&catalog);
    outcome = options->dry_run ? 0 : run_on_devices(options, &sweep, count, arguments, status, error);
out:
    for (size_t i = 0; i < sweep.included_count; ++i)
        regfree(&sweep.included[i]);
    for (size_t i = 0; i < sweep.excluded_count; ++i)
        regfree(&sweep.excluded[i]);
    catalog_fini(&catalog);
    return outcome;
}

int command_run(int count, char **arguments)
{
    static const struct argp_child children[] = {{&common_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = options_table,
        .parser = parse,
        .args_doc = "[SCENARIO...]",
        .doc = "Sweeps scenarios over group counts below, at and above what the device holds, predicts each outcome, "
               "and says up to which count each idiom is safe. A SCENARIO is a name, a pattern, or an .ini file; "
               "without one all are run.\v"
               "Exit status: 0 everything as predicted; 1 a surprise; 2 usage or an invalid scenario; 3 the tool "
               "failed; 4 no device; 5 a device no longer works; 77 nothing is supported; 130, 143 ended by SIGINT, "
               "SIGTERM.",
        .children = children,
    };
    static struct run_options options;
    struct error error;
    enum status status = STATUS_OK;

    common_options_init(&options.common);
    argp_parse(&argp, count, arguments, 0, NULL, &options);
    return run_scenarios(&options, count, arguments, &status, &error) != 0 ? report_error(&error) : (int)status;
}
