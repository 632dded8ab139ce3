#include "report/report.h"

#include "base/alloc.h"
#include "report/extent.h"
#include "report/given.h"
#include "report/kind.h"

#include <stdlib.h>
#include <string.h>

/* --- reading --- */

static int read_heads(struct report *report, struct store *store, struct error *error)
{
    struct store_run run = {.id = 0};
    int found;

    while ((found = store_next_run(store, &run, error)) == 1) {
        GROW(report->heads, report->head_count);
        report->heads[report->head_count++] = (struct report_head){.run = run};
    }
    if (found < 0)
        store_run_fini(&run);
    return found;
}

int report_read_runs(struct report *report, struct store *store, struct error *error)
{
    snprintf(report->path, sizeof report->path, "%s", store_path(store));
    if (read_heads(report, store, error) != 0 ||
        strains_read(&report->strains, &report->strain_count, store, error) != 0)
        return -1;
    if (store_read_shares(store, &report->shares, &report->share_count, error) != 0)
        return -1;
    return store_read_asserted(store, &report->asserted, &report->asserted_count, error);
}

const struct store_run *report_run(const struct report *report, int64_t id)
{
    const struct store_run *run = NULL;

    for (size_t i = 0; i < report->head_count && run == NULL; ++i)
        if (report->heads[i].run.id == id)
            run = &report->heads[i].run;
    return run;
}

void report_runs_fini(struct report *report)
{
    for (size_t i = 0; i < report->head_count; ++i)
        store_run_fini(&report->heads[i].run);
    free(report->heads);
    free(report->shares);
    free(report->asserted);
    report->asserted = NULL;
    report->asserted_count = 0;
    free(report->strains);
    report->heads = NULL;
    report->shares = NULL;
    report->strains = NULL;
    report->head_count = report->share_count = report->strain_count = 0;
}

/* All its runs are of this command, which may have ended before it came to a device. */
static bool all_are(const struct report *report, const char *command)
{
    bool all = report->head_count > 0;

    for (size_t i = 0; i < report->head_count; ++i)
        all = all && strcmp(report->heads[i].run.command, command) == 0;
    return all;
}

/* A run of scenarios is what no other kind claims. */
static int is_of(const struct report *report, enum report_kind kind, struct store *store, struct error *error)
{
    if (kind == REPORT_RUN || all_are(report, kinds[kind].name))
        return 1;
    return kinds[kind].claims != NULL ? kinds[kind].claims(store, error) : 0;
}

int report_read_heads(struct report *report, struct store *store, struct error *error)
{
    int claimed = 0;

    if (report_read_runs(report, store, error) != 0)
        return -1;
    for (int kind = 0; kind < REPORT_KINDS && claimed == 0; ++kind) {
        report->kind = (enum report_kind)kind;
        claimed = is_of(report, report->kind, store, error);
    }
    for (size_t i = 0; i < report->head_count && kinds[report->kind].asked != NULL; ++i)
        kinds[report->kind].asked(report, &report->heads[i].run);
    return claimed < 0 ? -1 : 0;
}

int report_read_kind(struct store *store, enum report_kind *kind, struct error *error)
{
    struct report report = {0};
    const int outcome = report_read_heads(&report, store, error);

    *kind = report.kind;
    report_fini(&report);
    return outcome;
}

int report_read_measured(struct report *report, struct store *store, struct error *error)
{
    return kinds[report->kind].read(report, store, error);
}

int report_read(struct report *report, struct store *store, struct error *error)
{
    if (report_read_heads(report, store, error) != 0)
        return -1;
    const int outcome = report_read_measured(report, store, error);
    report_note_extents(report);
    return outcome;
}

void report_fini(struct report *report)
{
    report_runs_fini(report);
    limits_report_fini(&report->limits);
    run_report_fini(&report->run);
    progress_report_fini(&report->progress);
    audit_report_fini(&report->audit);
    proofs_report_fini(&report->proofs);
    watches_report_fini(&report->watches);
    *report = (struct report){0};
}

const char *report_kind_name(enum report_kind kind)
{
    return kinds[kind].name;
}

bool report_kinds_compare(enum report_kind a, enum report_kind b, const char **of, bool *second)
{
    *second = kinds[a].of == NULL;
    *of = *second ? kinds[b].of : kinds[a].of;
    return kinds[a].of == kinds[b].of;
}

bool report_kinds_merge(enum report_kind a, enum report_kind b, const char **of, bool *second)
{
    *second = !kinds[a].alone;
    *of = kinds[*second ? b : a].of;
    return a == b || (!kinds[a].alone && !kinds[b].alone);
}

bool report_kind_is_of_tests(enum report_kind kind)
{
    return kinds[kind].of_tests;
}

const char *report_units(const struct report *report)
{
    return kinds[report->kind].units_name;
}

/* What could be run was not supported, or there was nothing to run. */
static enum status status_of_nothing(const struct report *report)
{
    bool chosen = false, allowed = report->head_count > 0, elsewhere = false;

    for (size_t i = 0; report_device(report, i) != NULL; ++i) {
        struct extent extent;
        report_extent(report, i, &extent);
        if (!extent.known || kinds[report->kind].units(report, i) > 0 || extent.planned > extent.elsewhere)
            return STATUS_UNSUPPORTED;
        elsewhere = elsewhere || extent.elsewhere > 0;
    }
    for (size_t i = 0; i < report->head_count; ++i) {
        chosen = chosen || given_chooses(&report->heads[i].run);
        allowed = allowed && given_value(&report->heads[i].run, "allow-empty") != NULL;
    }
    if (elsewhere || allowed)
        return STATUS_OK;
    return chosen ? STATUS_USAGE : STATUS_UNSUPPORTED;
}

struct asserted_counts report_asserted(const struct report *report, int64_t device)
{
    struct asserted_counts counts = {0};

    for (size_t i = 0; i < report->asserted_count; ++i) {
        const struct store_asserted *asserted = &report->asserted[i];
        if (device != 0 && asserted->device != device)
            continue;
        counts.all += 1;
        counts.failed += asserted->decided && asserted->failed;
        counts.undecided += !asserted->decided;
    }
    return counts;
}

/* The run's, or, if it could be green, STATUS_SURPRISE if an assertion failed, STATUS_STOPPED if one is undecided. */
static enum status asserted_status(const struct report *report, enum status status)
{
    const bool could_be_green = status == STATUS_OK || status == STATUS_UNSUPPORTED || status == STATUS_STOPPED;
    const struct asserted_counts counts = report_asserted(report, 0);

    if (!could_be_green)
        return status;
    return counts.failed > 0 ? STATUS_SURPRISE : counts.undecided > 0 ? STATUS_STOPPED : status;
}

enum status report_status(const struct report *report, verdict_set *verdicts)
{
    const enum status status = kinds[report->kind].status(report, verdicts);
    const bool could_be_green = status == STATUS_OK || status == STATUS_UNSUPPORTED;

    if (could_be_green && !report_is_complete(report))
        return asserted_status(report, STATUS_STOPPED);
    return asserted_status(report, status == STATUS_UNSUPPORTED ? status_of_nothing(report) : status);
}

enum status report_measured_status(const struct report *report, verdict_set *verdicts)
{
    const enum status status = kinds[report->kind].status(report, verdicts);
    verdict_set ignored;

    return status == STATUS_UNSUPPORTED ? report_status(report, &ignored) : asserted_status(report, status);
}

const struct naming *report_outcomes(const struct report *report)
{
    return kinds[report->kind].outcomes != NULL ? kinds[report->kind].outcomes : &verdict_naming;
}

/* --- devices --- */

bool report_has_command(const struct report *report, const char *command)
{
    for (size_t i = 0; i < report->head_count; ++i)
        if (strcmp(report->heads[i].run.command, command) == 0)
            return true;
    return false;
}

size_t report_device_count(const struct report *report)
{
    size_t count = 0;
    while (report_device(report, count) != NULL)
        ++count;
    return count;
}

const struct store_device *report_device(const struct report *report, size_t device)
{
    return kinds[report->kind].device(report, device);
}
