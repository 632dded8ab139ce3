#include "cli/command.h"

#include "base/words.h"
#include "cli/measure.h"
#include "core/text.h"
#include "engine/catalog.h"
#include "engine/sweep.h"
#include "explain/explain.h"
#include "format/escape.h"
#include "format/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- options --- */

static int take_device(struct parsing *parsing, void *context, char *selector)
{
    struct common_options *options = context;

    (void)parsing;
    options->selectors[0] = selector;
    options->selector_count = 1;
    return 0;
}

static int refuse_operand(struct parsing *parsing, char *word)
{
    refuse_usage(parsing, "expected no arguments, but found \"%.60s\"", word);
    return 0;
}

#define AT(member) offsetof(struct measure_options, member)

static const struct command_option options_table[] = {
    {"device", 'd', 10, DEVICE_SELECTOR,
     "Use the first device that this means; SELECTOR as for gridlock run --device (default: PoCL, else the first CPU)",
     .at = AT(common), .take = take_device},
    {0},
};

/* --- the device --- */

/* A CPU, where a stall costs nobody a display, unless the user names something else. */
static const struct device_info *choose(const struct selection *selection, const struct common_options *common)
{
    const struct device_info *cpu = NULL;

    if (common->selector_count > 0)
        return &selection->devices[0];
    for (size_t i = 0; i < selection->count; ++i) {
        const struct device_info *device = &selection->devices[i];
        if (device->kind != DEVICE_CPU)
            continue;
        if (device_info_matches(device, "pocl"))
            return device;
        cpu = cpu != NULL ? cpu : device;
    }
    return cpu != NULL || common->icd_count == 0 ? cpu : &selection->devices[0];
}

static int choose_device(struct measurement *measurement, struct error *error)
{
    struct selection *selection = &measurement->selection;
    const struct device_info *chosen = choose(selection, &measurement->options->common);
    char names[320] = "";

    for (size_t i = 0; chosen == NULL && i < selection->count; ++i)
        text_list(names, sizeof names, ", ", "%s", DEVICE_LABEL_OF(&selection->devices[i]));
    if (chosen == NULL)
        return error_set(error, STATUS_NO_DEVICE, "no CPU device; --device takes another one: %.300s", names);
    selection->devices[0] = *chosen;
    selection->count = 1;
    return 0;
}

/* --- the sweep --- */

/* The scenario's own points are more than a demonstration needs. */
static void set_axis(struct scenario *scenario, const char *name, const char *const *items, size_t count)
{
    for (size_t i = 0; i < scenario->axis_count; ++i) {
        struct axis_text *axis = &scenario->axes[i];
        if (strcmp(axis->name, name) != 0)
            continue;
        axis->count = count;
        for (size_t item = 0; item < count; ++item)
            snprintf(axis->items[item], sizeof axis->items[item], "%s", items[item]);
    }
}

static int load(struct catalog *catalog, struct error *error)
{
    char name[] = "barrier_central";

    if (catalog_load(catalog, (char *[]){name}, 1, NULL, error) != 0)
        return -1;
    set_axis(catalog->scenarios[0], "groups", (const char *const[]){"1x resident", "1x resident + 1"}, 2);
    set_axis(catalog->scenarios[0], "local-size", (const char *const[]){"64"}, 1);
    return 0;
}

static int measure(void *context, const struct device_info *device, struct error *error)
{
    return sweep_device(context, device, error);
}

/* --- what it shows --- */

/* What the sweep came to. */
struct shown {
    const struct run_device *device;
    const struct run_scenario *scenario;
    uint32_t resident;                   /* 0: it could not be counted */
    const struct run_point *full, *over; /* as many groups as fit, and one more; or NULL */
};

static struct shown find_points(const struct run_report *report)
{
    struct shown shown = {.device = &report->devices[0]};

    if (shown.device->count == 0)
        return shown;
    shown.scenario = &shown.device->scenarios[0];
    for (size_t i = 0; i < shown.scenario->count; ++i)
        if (shown.scenario->points[i].batches.resident > shown.resident)
            shown.resident = shown.scenario->points[i].batches.resident;
    for (size_t i = 0; i < shown.scenario->count; ++i) {
        const struct run_point *point = &shown.scenario->points[i];
        if (shown.resident != 0 && point->groups == shown.resident)
            shown.full = point;
        if (shown.resident != 0 && point->groups == shown.resident + 1)
            shown.over = point;
    }
    return shown;
}

static void print_lines(const char *text)
{
    text_clean_lines(stdout, "  ", "  ", text);
}

static void print_title(const struct shown *shown)
{
    struct text_lines lines;
    FILE *line = text_lines_begin(&lines);

    fputs("A barrier that all work-groups wait at, on ", line);
    text_device(line, &shown->device->stored.info);
    text_lines_end(&lines, stdout, "", "  ");
}

static void print_point(const char *title, const struct run_point *point, const char *meaning)
{
    char text[400];

    snprintf(text, sizeof text, "%" PRIu32 " group%s: %s in %" PRIu32 " of %" PRIu32 " launches.%s", point->groups,
             text_s(point->groups), verdict_name(point->batches.verdict), point->tally->counts[point->batches.verdict],
             point->tally->launches, meaning);
    printf("\n%s\n", title);
    print_lines(text);
}

/* The trial of that name, or the first that failed. */
static int explain_trial(struct store *store, const char *name, struct error *error)
{
    struct evidence evidence;
    int outcome = evidence_read(store, &(struct evidence_wanted){.trial = name}, &evidence, NULL, error);

    putchar('\n');
    if (outcome == 0 && evidence.words == NULL)
        outcome = explain_text(stdout, &evidence, error);
    else if (outcome == 0)
        outcome = explain_timeline(stdout, &evidence, error);
    if (outcome == 0 && evidence.words != NULL)
        outcome = explain_why(stdout, &evidence, error);
    evidence_fini(&evidence);
    return outcome < 0 ? -1 : 0;
}

static int explain_point(struct store *store, const struct run_point *point, struct error *error)
{
    char id[RUN_ID_BYTES];

    run_point_id(point, id);
    return explain_trial(store, id, error);
}

static void print_cut(uint64_t cut_at)
{
    char text[640];

    snprintf(text, sizeof text,
             "This driver ends a loop after %" PRIu64
             " iterations although it still waits. So no launch stalls here, it is not known how many groups are "
             "resident together, and neither a barrier that holds nor one group too many can be shown. What can be "
             "learned is this: do not wait in loops on this device, because a kernel that returns has not "
             "synchronized.",
             cut_at);
    fputs("\nWhat cannot be shown\n", stdout);
    print_lines(text);
}

static int print_uncounted(struct store *store, struct error *error)
{
    fputs("\nWhat cannot be shown\n", stdout);
    print_lines("It could not be counted how many groups are resident together on this device.");
    return explain_trial(store, NULL, error);
}

static int print_points(struct store *store, const struct shown *shown, struct error *error)
{
    const bool full_passed = run_point_passed(shown->full), over_passed = run_point_passed(shown->over);
    char text[200];

    snprintf(text, sizeof text,
             "%" PRIu32 " work-group%s of %" PRIu32 " work-item%s %s resident together, on %" PRIu32
             " compute unit%s: so many have started and hold a place at the same time.",
             shown->resident, text_s(shown->resident), shown->full->local_size, text_s(shown->full->local_size),
             shown->resident == 1 ? "is" : "are", shown->device->stored.info.compute_units,
             text_s(shown->device->stored.info.compute_units));
    fputs("\nHow many groups fit\n", stdout);
    print_lines(text);
    print_point("As many groups as fit", shown->full,
                full_passed ? " Each waited until all had arrived, and all could arrive." : "");
    if (!full_passed && explain_point(store, shown->full, error) != 0)
        return -1;
    print_point("One group more", shown->over,
                over_passed ? " More groups were resident than had been counted."
                : shown->over->batches.verdict == VERDICT_STARVED
                    ? " Those that hold the places wait for one that has none."
                    : "");
    return over_passed ? 0 : explain_point(store, shown->over, error);
}

/* --- what to try next --- */

static void print_words(const char *const *words, size_t count)
{
    char *command = words_join((char *const *)words, count);

    escape_each(escape_text, stdout, "  ", command, "\n", NULL);
    free(command);
}

/* With the driver and the device of the demonstration, as the user would choose them. */
static void print_command(const struct measure_options *options, const struct device_info *device,
                          const char *const *more)
{
    const struct common_options *common = &options->common;
    char selector[DEVICE_LABEL];
    const char *words[8 + 2 * ICD_FOLDER_FILES] = {"gridlock"};
    size_t count = 1;

    words[count++] = *more++;
    for (size_t i = 0; i < common->icd_count; ++i) {
        words[count++] = "--icd";
        words[count++] = common->icds[i];
    }
    words[count++] = "-d";
    words[count++] = common->selector_count > 0 ? common->selectors[0] : device_info_selector(device, false, selector);
    while (*more != NULL)
        words[count++] = *more++;
    print_words(words, count);
}

static void print_explain(const struct measurement *measurement)
{
    fputs("\nWhat to try next\n", stdout);
    print_words((const char *const[]){"gridlock", "explain", measurement->path}, 3);
}

static void print_next(const struct measure_options *options, const struct measurement *measurement)
{
    const struct device_info *device = &measurement->selection.devices[0];

    print_explain(measurement);
    fputs("    all that is known of it; with --format svg a drawing, with --reproducer DIR\n"
          "    a program that repeats it without gridlock\n",
          stdout);
    print_command(options, device, (const char *const[]){"limits", "--source", "FILE.cl", NULL});
    fputs("    how many groups of a kernel of yours fit\n", stdout);
    print_command(options, device, (const char *const[]){"run", NULL});
    fputs("    up to how many groups each of many barriers, locks and queues is safe\n"
          "  gridlock help words\n"
          "    what starved, resident and the other words mean\n",
          stdout);
}

/* Of a device on which there was little to see. */
static void print_elsewhere(const struct measurement *measurement)
{
    print_explain(measurement);
    fputs("    what was seen all the same\n"
          "  gridlock devices\n"
          "    what each device offers; gridlock demo --device NAME takes another one\n",
          stdout);
}

/* --- the whole --- */

static int print(const struct measure_options *options, const struct measurement *measurement, enum status *status,
                 struct error *error)
{
    struct store *store = measurement->settings.store;
    struct report report = {0};
    verdict_set verdicts;
    int outcome = report_read(&report, store, error);

    if (outcome == 0 && report.run.count > 0) {
        const struct shown shown = find_points(&report.run);
        const uint64_t cut_at = shown.device->stored.probe.loops_cut_at;
        print_title(&shown);
        if (cut_at != 0)
            print_cut(cut_at);
        else if (shown.full == NULL || shown.over == NULL)
            outcome = print_uncounted(store, error);
        else
            outcome = print_points(store, &shown, error);
        if (shown.full == NULL || shown.over == NULL || cut_at != 0)
            print_elsewhere(measurement);
        else if (outcome == 0)
            print_next(options, measurement);
        *status = report_status(&report, &verdicts);
    }
    report_fini(&report);
    return outcome;
}

static int demonstrate(const struct measure_options *options, int count, char **arguments, enum status *status,
                       struct error *error)
{
    struct measurement measurement = {0};
    struct catalog catalog = {0};
    struct known_patterns all = {0}, none = {0};
    struct known known = {0};
    struct sweep sweep = {.settings = &measurement.settings, .wanted = {&all, &none, &none}, .known = &known};
    int outcome = load(&catalog, error);

    if (outcome == 0)
        outcome = measure_check_origin(options, NULL, 0, error);
    if (outcome == 0)
        outcome = measurement_open(&measurement, options, true, error);
    if (outcome == 0)
        outcome = choose_device(&measurement, error);
    measurement.settings.shard = (struct shard){0}; /* it is too small to be divided */
    if (outcome == 0)
        outcome = measurement_begin(&measurement, count, arguments, error);
    if (outcome == 0) {
        sweep.executor = executor_of_worker(&measurement.worker);
        sweep.scenarios = catalog.scenarios;
        sweep.count = catalog.count;
        outcome = measurement_each(&measurement, measure, &sweep, error);
        outcome = measurement_interrupted(&measurement, outcome, error);
    }
    if (outcome == 0)
        outcome = print(options, &measurement, status, error);
    measurement_close(&measurement);
    catalog_fini(&catalog);
    return outcome;
}

static const struct command_part parts[] = {{&run_file_line, 0}, {&base_line, AT(common)}, {0}};

const struct command_line demo_line = {
    .options = options_table,
    .parts = parts,
    .operand = refuse_operand,
    .doc = "Shows in a minute what this is about: counts how many work-groups are resident together on a CPU device, "
           "passes a barrier with as many, and stalls it with one more; then who waits for whom, why, and what helps. "
           "The run file is like that of gridlock run.",
    .statuses = "0 everything as predicted; 1 a surprise; 2 usage error; 3 the tool failed; 4 no device; 5 the device "
                "no longer works; 75 another run kept the device busy (gridlock resume continues); 77 it cannot be "
                "shown on this device; 130, 143 ended by SIGINT, SIGTERM",
};

int command_demo(int count, char **arguments)
{
    struct measure_options options;
    struct error error;
    enum status status = STATUS_OK;

    measure_options_init(&options);
    parse_arguments(&demo_line, count, arguments, &options);
    return demonstrate(&options, count, arguments, &status, &error) != 0 ? report_error(&error) : (int)status;
}
