#include "report/watches.h"

#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>

struct reading {
    struct watches_device *device;
    struct store *store;
    struct error *error;
};

bool watches_is_alarm(enum watch_verdict verdict)
{
    return verdict == WATCH_DEADLOCK || verdict == WATCH_HOST;
}

static int take_trial(void *context, const struct store_trial *stored)
{
    struct reading *reading = context;
    struct watches_device *device = reading->device;

    if (stored->trial.kind != TRIAL_WATCH)
        return 0;
    GROW(device->rows, device->count);
    struct watches_row *row = &device->rows[device->count++];
    *row = (struct watches_row){.run = stored->run, .id = stored->id, .incomplete = !stored->ended};
    snprintf(row->name, sizeof row->name, "%s", stored->name);
    if (store_read_sighting(reading->store, stored->id, &row->seen, reading->error) != 0)
        return -1;
    row->batches.seen = UINT32_C(1) << row->seen.verdict;
    row->batches.surprise = watches_is_alarm(row->seen.verdict);
    device->of[row->seen.verdict] += 1;
    return 0;
}

int watches_report_read(struct watches_report *report, struct store *store, struct error *error)
{
    struct store_device stored = {.id = 0};
    int found;

    while ((found = store_next_device(store, &stored, error)) == 1) {
        GROW(report->devices, report->count);
        struct watches_device *device = &report->devices[report->count++];
        *device = (struct watches_device){.stored = stored};
        struct reading reading = {device, store, error};
        const struct store_walk walk = {stored.id, .take = take_trial, .context = &reading};
        if (store_each_trial(store, &walk, error) != 0)
            return -1;
    }
    return found;
}

void watches_report_fini(struct watches_report *report)
{
    for (size_t i = 0; i < report->count; ++i) {
        for (size_t j = 0; j < report->devices[i].count; ++j)
            sighting_fini(&report->devices[i].rows[j].seen);
        free(report->devices[i].rows);
    }
    free(report->devices);
    *report = (struct watches_report){.count = 0};
}

enum status watches_report_status(const struct watches_report *report, uint32_t *verdicts)
{
    size_t of[WATCH_VERDICTS] = {0};

    *verdicts = 0;
    for (size_t i = 0; i < report->count; ++i)
        for (int j = 0; j < WATCH_VERDICTS; ++j) {
            of[j] += report->devices[i].of[j];
            *verdicts |= report->devices[i].of[j] > 0 ? UINT32_C(1) << j : 0;
        }
    return of[WATCH_DEADLOCK] + of[WATCH_HOST] > 0 ? STATUS_SURPRISE : STATUS_OK;
}
