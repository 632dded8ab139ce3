#include "report/audit.h"

#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char prefix[] = "audit/";

/* NULL: it is none, or one that another version of this program measures. */
static const struct promise *promise_of(const struct store_trial *stored)
{
    const size_t length = sizeof prefix - 1;
    char name[sizeof stored->name];

    if (stored->trial.kind != TRIAL_PROMISE || strncmp(stored->name, prefix, length) != 0)
        return NULL;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(stored->name + length, "#"), stored->name + length);
    return promise_find(name);
}

static int take_trial(void *context, const struct store_trial *stored)
{
    struct audit_device *device = context;
    const struct promise *promise = promise_of(stored);

    if (promise == NULL)
        return 0;
    GROW(device->rows, device->count);
    struct audit_row *row = &device->rows[device->count++];
    *row = (struct audit_row){.promise = promise,
                              .run = stored->run,
                              .finding = stored->finding,
                              .incomplete = !stored->ended,
                              .verdict = stored->count > 0 ? stored->launches[0].verdict : VERDICT_INCOMPLETE,
                              .duration_ns = stored->duration_ns};
    snprintf(row->note, sizeof row->note, "%.255s", stored->note);
    row->left_out = optional_parse(stored->trial.left_out);
    snprintf(row->quoted, sizeof row->quoted, "%s", stored->prediction.quoted);
    row->known = stored->prediction.known;
    row->finding.undecided = row->finding.undecided || row->incomplete;
    row->keeping = finding_judge(promise, &row->finding);
    row->batches.seen = UINT32_C(1) << row->keeping;
    row->batches.surprise = row->keeping == KEEPING_BROKEN;
    device->kept[row->keeping] += 1;
    device->known += audit_row_is_known(row);
    device->mended += audit_row_is_mended(row);
    device->incomplete += row->incomplete;
    return 0;
}

static int by_promise(const void *a, const void *b)
{
    const struct promise *left = ((const struct audit_row *)a)->promise,
                         *right = ((const struct audit_row *)b)->promise;
    return (left > right) - (left < right);
}

static int read_device(struct audit_report *report, const struct store_device *stored, struct store *store,
                       struct error *error)
{
    GROW(report->devices, report->count);
    struct audit_device *device = &report->devices[report->count++];
    *device = (struct audit_device){.stored = *stored};
    const struct store_walk walk = {stored->id, .take = take_trial, .context = device};
    const int outcome = store_each_trial(store, &walk, error);
    if (device->count > 0)
        qsort(device->rows, device->count, sizeof *device->rows, by_promise);
    return outcome;
}

int audit_report_read(struct audit_report *report, struct store *store, struct error *error)
{
    struct store_device stored = {.id = 0};
    int found;

    while ((found = store_next_device(store, &stored, error)) == 1)
        if (read_device(report, &stored, store, error) != 0)
            return -1;
    return found;
}

void audit_report_fini(struct audit_report *report)
{
    for (size_t i = 0; i < report->count; ++i)
        free(report->devices[i].rows);
    free(report->devices);
    *report = (struct audit_report){.count = 0};
}

bool audit_row_is_offered(const struct audit_row *row)
{
    return row->keeping != KEEPING_UNDECIDED && row->keeping != KEEPING_NOT_OFFERED;
}

bool audit_row_is_measured(const struct audit_row *row)
{
    const bool counts = row->promise->unit[0] != '\0';

    return audit_row_is_offered(row) && (!counts || row->verdict == VERDICT_PASS || row->finding.measured > 0);
}

bool audit_row_is_known(const struct audit_row *row)
{
    return row->keeping == KEEPING_BROKEN && row->known != KNOWN_AS_NOTHING;
}

bool audit_row_is_mended(const struct audit_row *row)
{
    return row->known == KNOWN_AS_FAILURE && (row->keeping == KEEPING_KEPT || row->keeping == KEEPING_EXCEEDED);
}

enum status audit_report_status(const struct audit_report *report, uint32_t *outcomes)
{
    size_t offered = 0, broken = 0;
    bool wedged = false;

    *outcomes = 0;
    for (size_t i = 0; i < report->count; ++i) {
        const struct audit_device *device = &report->devices[i];
        wedged = wedged || device->stored.wedged;
        broken += device->kept[KEEPING_BROKEN] - device->known;
        for (int j = 0; j < KEEPING_COUNT; ++j)
            *outcomes |= device->kept[j] > 0 ? UINT32_C(1) << j : 0;
        offered += device->count - device->kept[KEEPING_NOT_OFFERED];
    }
    return wedged ? STATUS_WEDGED : broken > 0 ? STATUS_SURPRISE : offered > 0 ? STATUS_OK : STATUS_UNSUPPORTED;
}
