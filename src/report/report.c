#include "report/report.h"

#include "base/grow.h"
#include "report/given.h"

#include <stdlib.h>
#include <string.h>

/* --- reading --- */

static void head_fini(struct report_head *head)
{
    free(head->tool_version);
    free(head->command_line);
    free(head->host);
}

/* What runs are added to. */
struct reading {
    struct report *report;
    struct error *error;
};

static int no_memory(struct error *error)
{
    return error_set(error, STATUS_HARNESS, "no memory for the report");
}

static int take_run(void *context, const struct store_run *run)
{
    struct reading *reading = context;
    struct report *report = reading->report;

    if (GROW(report->heads, report->head_count) != 0)
        return no_memory(reading->error);
    struct report_head head = {
        .tool_version = strdup(run->tool_version),
        .command_line = strdup(run->command_line),
        .host = strdup(run->host),
        .started_ms = run->started_ms,
    };
    snprintf(head.uuid, sizeof head.uuid, "%s", run->uuid);
    if (head.tool_version == NULL || head.command_line == NULL || head.host == NULL) {
        head_fini(&head);
        return no_memory(reading->error);
    }
    report->heads[report->head_count++] = head;
    return 0;
}

/* A search has estimators; a run of scenarios searches nothing. */
static int has_limits(struct store *store, struct error *error)
{
    struct store_device device = {.id = 0};
    int found;

    while ((found = store_next_device(store, &device, error)) == 1)
        for (int i = 0; i < ESTIMATOR_COUNT; ++i)
            if (device.options.estimators[i])
                return 1;
    return found;
}

static void add_expectation(struct report *report, const struct given *given)
{
    struct error ignored; /* the run would not have begun with another text */

    for (size_t i = 0; i < given->count; ++i) {
        const char *text = given_abbreviated(given, i, "--expect");
        if (text != NULL)
            progress_expectation_parse(text, &report->expectation, &ignored);
    }
}

/* All its runs are of `gridlock progress`. */
static bool has_tests(struct report *report)
{
    bool all = report->head_count > 0;

    for (size_t i = 0; i < report->head_count; ++i) {
        struct given given;
        if (given_read(report->heads[i].command_line, "", &given) != 0)
            return false;
        all = all && given_is_command(&given, "progress");
        add_expectation(report, &given);
        given_fini(&given);
    }
    return all;
}

/* Of a zeroed report, fills in the heads, its kind, and what is expected. */
static int read_heads(struct report *report, struct store *store, struct error *error)
{
    struct reading reading = {report, error};

    if (store_each_run(store, take_run, &reading, error) != 0)
        return -1;
    const int limits = has_limits(store, error);
    report->kind = limits > 0 ? REPORT_LIMITS : has_tests(report) ? REPORT_PROGRESS : REPORT_RUN;
    return limits < 0 ? -1 : 0;
}

int report_read_kind(struct store *store, enum report_kind *kind, struct error *error)
{
    struct report report = {0};
    const int outcome = read_heads(&report, store, error);

    *kind = report.kind;
    report_fini(&report);
    return outcome;
}

int report_read(struct report *report, struct store *store, struct error *error)
{
    if (read_heads(report, store, error) != 0)
        return -1;
    switch (report->kind) {
    case REPORT_LIMITS:
        return limits_report_update(&report->limits, store, error);
    case REPORT_PROGRESS:
        return progress_report_read(&report->progress, store, error);
    case REPORT_RUN:
        break;
    }
    return run_report_update(&report->run, store, error);
}

void report_fini(struct report *report)
{
    for (size_t i = 0; i < report->head_count; ++i)
        head_fini(&report->heads[i]);
    free(report->heads);
    limits_report_fini(&report->limits);
    progress_report_fini(&report->progress);
    run_report_fini(&report->run);
    *report = (struct report){0};
}

const char *report_kind_name(enum report_kind kind)
{
    static const char *const names[] = {
        [REPORT_LIMITS] = "limits", [REPORT_PROGRESS] = "progress", [REPORT_RUN] = "run"};
    return names[kind];
}

enum status report_status(const struct report *report, verdict_set *verdicts)
{
    *verdicts = 0;
    switch (report->kind) {
    case REPORT_LIMITS:
        return limits_report_status(&report->limits, verdicts);
    case REPORT_PROGRESS:
        return progress_report_status(&report->progress, &report->expectation);
    case REPORT_RUN:
        break;
    }
    return run_report_status(&report->run, verdicts);
}

/* --- devices --- */

size_t report_device_count(const struct report *report)
{
    return report->kind == REPORT_LIMITS     ? report->limits.count
           : report->kind == REPORT_PROGRESS ? report->progress.count
                                             : report->run.count;
}

const struct store_device *report_device(const struct report *report, size_t device)
{
    switch (report->kind) {
    case REPORT_LIMITS:
        return &report->limits.devices[device].stored;
    case REPORT_PROGRESS:
        return &report->progress.devices[device].stored;
    case REPORT_RUN:
        break;
    }
    return &report->run.devices[device].stored;
}

size_t report_device_ordinal(const struct report *report, size_t device)
{
    const struct device_info *info = &report_device(report, device)->info;
    size_t ordinal = 0;

    for (size_t i = 0; i < device; ++i) {
        const struct device_info *other = &report_device(report, i)->info;
        ordinal += strcmp(info->name, other->name) == 0;
    }
    return ordinal;
}
