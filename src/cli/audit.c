#include "cli/command.h"

#include "base/nearest.h"
#include "cli/exit_status.h"
#include "cli/lists.h"
#include "cli/measure.h"
#include "cli/model_from.h"
#include "cli/options.h"
#include "engine/audit.h"
#include "format/text.h"
#include "litmus/emulate.h"

#include <stdio.h>
#include <stdlib.h>

/* Through what promises are measured. */
enum via { VIA_OPENCL, VIA_CUDA, VIA_COUNT };
NAMING_DECLARE(via, enum via);
NAMING_DEFINE(via, enum via, VIA_COUNT, "opencl", "cuda");

enum { PROMISES_MOST = 256, ITERATIONS_LEAST = 5, ITERATIONS_MOST = 1000000 };

struct audit_options {
    struct measure_options measure;
    struct exit_options exit;
    struct lists lists;
    const char *model_from; /* a run file, or NULL */
    const struct promise *promises[PROMISES_MOST];
    size_t count;        /* 0: all */
    uint32_t iterations; /* 0: not given */
    enum via via;
    bool list;
};

/* --- options --- */

static int add_promise(struct parsing *parsing, void *context, char *name)
{
    struct audit_options *options = context;
    const struct promise *promise = promise_find(name);
    struct nearest nearest = nearest_begin(name);
    char meant[NEAREST_TEXT];

    for (size_t i = 0; i < options->count; ++i)
        if (options->promises[i] == promise)
            return 0;
    if (promise != NULL) {
        options->promises[options->count++] = promise;
        return 0;
    }
    for (size_t i = 0; i < promise_count; ++i)
        nearest_try(&nearest, promises[i].name);
    return error_set(&parsing->error, STATUS_USAGE,
                     "--promise: no promise is named '%.60s'%s (gridlock audit --list names all)", name,
                     nearest_print(&nearest, meant));
}

#define AT(member) offsetof(struct audit_options, member)

static const struct command_option options_table[] = {
    {"promise", 0, 1, "NAME...", "Measure only this promise (default: all)", .take = add_promise},
    {"via", 0, 1, NULL,
     "Measure what OpenCL promises (default), or what NVIDIA does of who may wait for whom, through CUDA's driver",
     .at = AT(via), .names = &via_naming},
    {"model-from", 0, 1, "RUN",
     "Quote what this run of gridlock progress found, where promises are about who may wait for whom",
     .at = AT(model_from)},
    {"iterations", 0, 1, "N", "Try so often what is tried several times, for what is rare (default: 5)",
     .at = AT(iterations), .take = take_count, .least = ITERATIONS_LEAST, .most = ITERATIONS_MOST},
    {"list", 0, 1, NULL, "Print all promises (of --via), where they are made and how they are measured",
     .at = AT(list)},
    {0},
};

/* All of its way, if none is named. */
static int name_promises(struct audit_options *options, struct error *error)
{
    const bool via_cuda = options->via == VIA_CUDA;

    for (size_t i = 0; i < options->count; ++i)
        if (options->promises[i]->of_cuda != via_cuda)
            return error_set(error, STATUS_USAGE, "--promise: %s is measured through %s: %s --via cuda",
                             options->promises[i]->name, via_cuda ? "OpenCL" : "CUDA's driver",
                             via_cuda ? "leave out" : "add");
    for (size_t i = 0, named = options->count; i < promise_count && named == 0; ++i)
        if (promises[i].of_cuda == via_cuda)
            options->promises[options->count++] = &promises[i];
    return 0;
}

/* But those that are to be left out. */
static int choose_promises(struct audit_options *options, struct error *error)
{
    size_t kept = 0;
    char id[128];

    if (name_promises(options, error) != 0)
        return -1;
    for (size_t i = 0; i < options->count; ++i) {
        snprintf(id, sizeof id, "audit/%s", options->promises[i]->name);
        known_note(&options->lists.known, id);
        if (!known_patterns_match(&options->lists.known.skips, id))
            options->promises[kept++] = options->promises[i];
    }
    options->count = kept;
    if (kept == 0 && !options->lists.allow_empty)
        return error_set(error, STATUS_USAGE,
                         "nothing to measure: --skips leaves out all promises that were chosen (--allow-empty allows "
                         "that)");
    if (!options->measure.common.quiet)
        lists_name_unused(&options->lists.known, NULL, "promise");
    return 0;
}

/* --- a run --- */

static void print_list(enum via via)
{
    static const char margin[] = "              ";
    const char *between = "";

    for (size_t i = 0; i < promise_count; ++i) {
        const struct promise *promise = &promises[i];
        if (promise->of_cuda != (via == VIA_CUDA))
            continue;
        printf("%s%s\n", between, promise->name);
        between = "\n";
        text_clean_lines(stdout, "    made by:  ", margin, promise->made);
        text_clean_lines(stdout, "    says:     ", margin, promise->says);
        text_clean_lines(stdout, "    measured: ", margin, promise->measured);
        text_clean_lines(stdout, "    broken:   ", margin, promise->follows);
    }
}

struct audit_run {
    struct measurement *measurement;
    struct audit audit;
    struct model_from model;
    char quote[MODEL_QUOTE];
};

static int measure(void *context, const struct device_info *device, struct error *error)
{
    struct audit_run *run = context;

    if (model_from_quote(&run->model, device, run->quote, error) != 0)
        return -1;
    return audit_device(&run->audit, device, error);
}

/* Why the first promise is not offered, as a sentence. */
static const char *reason(const struct audit_report *report)
{
    for (size_t i = 0; i < report->count; ++i)
        for (size_t j = 0; j < report->devices[i].count; ++j)
            if (report->devices[i].rows[j].finding.text[0] != '\0')
                return report->devices[i].rows[j].finding.text;
    return "no device has any of it";
}

static int print(struct measurement *measurement, const struct audit_options *options, enum status *status,
                 struct error *error)
{
    struct report report = {.kind = REPORT_AUDIT};
    int outcome = report_read_measured(&report, measurement->settings.store, error);

    outcome = measurement_report(measurement, &report, outcome, status, error);
    if (outcome == 0 && options->via == VIA_CUDA && *status == STATUS_UNSUPPORTED)
        outcome =
            error_set(error, STATUS_UNSUPPORTED, "nothing is offered through CUDA's driver: %s", reason(&report.audit));
    for (size_t i = 0; outcome == 0 && i < report.audit.count && options->measure.continued != NULL; ++i)
        if (*status == STATUS_OK && report.audit.devices[i].incomplete > 0)
            outcome = error_set(
                error, STATUS_STOPPED,
                "promises that had begun have no outcome; gridlock resume --retry-incomplete %s measures them again",
                measurement->path);
    report_fini(&report);
    return outcome;
}

/* The run has all devices, before any of them is measured. */
static int check_model(struct audit_run *run, struct error *error)
{
    const struct selection *selection = &run->measurement->selection;

    for (size_t i = 0; i < selection->count; ++i)
        if (model_from_quote(&run->model, &selection->devices[i], run->quote, error) != 0)
            return -1;
    return 0;
}

static int run_audit(struct audit_options *options, int count, char **arguments, enum status *status,
                     struct error *error)
{
    struct measurement measurement;
    struct audit_run run = {.measurement = &measurement,
                            .audit = {.settings = &measurement.settings,
                                      .executor = executor_of_worker(&measurement.worker),
                                      .promises = options->promises,
                                      .count = options->count,
                                      .iterations = options->iterations,
                                      .known = &options->lists.known,
                                      .quoted = run.quote,
                                      .promise_ended = measurement_share,
                                      .context = &measurement}};
    int outcome = -1;

    if (measurement_open(&measurement, &options->measure, true, error) != 0 ||
        model_from_read(&run.model, options->model_from, error) != 0 || check_model(&run, error) != 0 ||
        measurement_begin(&measurement, count, arguments, error) != 0)
        goto out;
    outcome = measurement_each(&measurement, measure, &run, error);
    if (outcome == 0)
        outcome = print(&measurement, options, status, error);
    outcome = measurement_interrupted(&measurement, outcome, error);
out:
    model_from_fini(&run.model);
    measurement_close(&measurement);
    return outcome;
}

/* A run file of litmus tests, and lists. */
static int check_origin(const struct audit_options *options, struct error *error)
{
    char *files[1 + LISTS_MOST];
    size_t count = 0;

    if (options->model_from != NULL)
        files[count++] = (char *)options->model_from;
    for (size_t i = 0; i < options->lists.count; ++i)
        files[count++] = options->lists.files[i];
    return measure_check_origin(&options->measure, files, count, error);
}

static int check(struct parsing *parsing)
{
    const struct common_options *common = &((struct audit_options *)parsing->options)->measure.common;

    for (size_t i = 0; i < common->selector_count; ++i)
        if (model_device_is_named(common->selectors[i]))
            return error_set(&parsing->error, STATUS_USAGE,
                             "--device %.80s: drivers make promises, a model device makes none", common->selectors[i]);
    return 0;
}

static const struct command_part parts[] = {
    {&measure_line, AT(measure)}, {&promise_exit_line, AT(exit)}, {&promise_lists_line, AT(lists)}, {0}};

const struct command_line audit_line = {
    .options = options_table,
    .parts = parts,
    .check = check,
    .doc = "Measures what a driver promises of its devices: each promise is kept, broken, or exceeded; where "
           "nothing is promised, the measurement is reported anyway.",
    .statuses = "0 no promise is broken but those that are known to be; 1 one is, or --against does not hold; 2 usage "
                "error; 3 the tool failed; 4 no device; 5 a device no longer works; 75 another run kept the device "
                "busy (gridlock resume continues); 77 nothing is offered; 130, 143 ended by SIGINT, SIGTERM",
};

int command_audit(int count, char **arguments)
{
    struct audit_options options = {.exit = {.of = &keeping_naming}, .lists.known.of_promises = true};
    struct error error;
    enum status status = STATUS_OK;

    measure_options_init(&options.measure);
    options.measure.unit = UNIT_PROMISES;
    options.measure.exit = &options.exit;
    parse_arguments(&audit_line, count, arguments, &options);
    int outcome =
        options.list ? refuse_format("--list", options.measure.common.format, &error) : check_origin(&options, &error);
    if (outcome == 0 && options.list) {
        print_list(options.via);
        return STATUS_OK;
    }
    if (outcome == 0)
        outcome = lists_load(&options.lists, &error);
    if (outcome == 0)
        outcome = choose_promises(&options, &error);
    if (outcome == 0)
        outcome = run_audit(&options, count, arguments, &status, &error);
    known_fini(&options.lists.known);
    return outcome != 0 ? report_error(&error) : (int)status;
}
