#include "report/run.h"

#include "base/alloc.h"
#include "litmus/emulate.h"
#include "report/run_points.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    struct store *store;
    struct run_device *device;
    struct error *error;
};

static struct run_scenario *scenario_of(struct run_device *device, const struct store_trial *stored)
{
    const char *name = stored->trial.work.scenario;
    for (size_t i = device->count; i > 0; --i)
        if (strcmp(device->scenarios[i - 1].name, name) == 0)
            return &device->scenarios[i - 1];
    GROW(device->scenarios, device->count);
    struct run_scenario *scenario = &device->scenarios[device->count++];
    *scenario = (struct run_scenario){.position = stored->prediction.position};
    scenario->publication = stored->trial.work.publication;
    snprintf(scenario->name, sizeof scenario->name, "%s", name);
    return scenario;
}

/* Schedules are kept of launches on model devices alone. */
static int take_point(struct reading *reading, struct run_scenario *scenario, const struct store_trial *stored)
{
    struct run_device *device = reading->device;
    struct schedule_kept kept = {.turns = NULL};
    int outcome = 0;

    if (model_device_is_named(device->stored.info.name))
        outcome = store_read_schedule(reading->store, stored->id, &kept, reading->error);
    if (outcome == 0)
        outcome = run_points_take(device, scenario, stored, &kept, reading->error);
    free((void *)kept.turns);
    free((void *)kept.stops);
    return outcome;
}

static int take_trial(void *context, const struct store_trial *stored)
{
    struct reading *reading = context;
    struct run_device *device = reading->device;

    if (!trial_has_board(&stored->trial) && stored->trial.kind != TRIAL_TRY) {
        device->last_trial = stored->id;
        return 0;
    }
    struct run_scenario *scenario = scenario_of(device, stored);
    if ((stored->trial.kind == TRIAL_WORK || stored->trial.kind == TRIAL_TRY) &&
        take_point(reading, scenario, stored) != 0)
        return -1;
    if (stored->prediction.position < scenario->position)
        scenario->position = stored->prediction.position;
    scenario->duration_ns += stored->duration_ns;
    device->last_trial = stored->id;
    device->trials += 1;
    device->launches += stored->count;
    return 0;
}

static void take_device(struct run_report *report, const struct store_device *stored)
{
    for (size_t i = 0; i < report->count; ++i)
        if (report->devices[i].stored.id == stored->id) {
            report->devices[i].stored = *stored; /* more is known of it by now */
            return;
        }
    GROW(report->devices, report->count);
    report->devices[report->count++] = (struct run_device){.stored = *stored};
}

static int compare_scenarios(const void *a, const void *b)
{
    const struct run_scenario *one = a, *other = b;
    if (one->position != other->position)
        return one->position < other->position ? -1 : 1;
    return strcmp(one->name, other->name);
}

/* What was read is put in order and judged. */
static void finish(struct run_device *device)
{
    for (size_t i = 0; i < device->count; ++i) {
        struct run_scenario *scenario = &device->scenarios[i];
        if (scenario->changed) {
            run_points_sort(scenario);
            run_lines_judge(scenario);
        }
        scenario->changed = false;
    }
    if (device->count > 0)
        qsort(device->scenarios, device->count, sizeof *device->scenarios, compare_scenarios);
}

int run_report_update(struct run_report *report, struct store *store, struct error *error)
{
    struct store_device stored = {.id = 0};
    int found;

    while ((found = store_next_device(store, &stored, error)) == 1)
        take_device(report, &stored);
    if (found < 0)
        return -1;
    for (size_t i = 0; i < report->count; ++i) {
        struct run_device *device = &report->devices[i];
        struct reading reading = {store, device, error};
        const struct store_walk walk = {device->stored.id, device->last_trial, .quick = true, .take = take_trial,
                                        .context = &reading};
        const int read = store_each_trial(store, &walk, error);
        finish(device);
        if (read != 0)
            return error_context(error, "reading stopped after trial %" PRId64 " of device %" PRId64,
                                 device->last_trial, device->stored.id);
    }
    return 0;
}

void run_report_fini(struct run_report *report)
{
    for (size_t i = 0; i < report->count; ++i) {
        struct run_device *device = &report->devices[i];
        for (size_t j = 0; j < device->count; ++j) {
            free(device->scenarios[j].points);
            free(device->scenarios[j].slots);
            free(device->scenarios[j].lines);
            free(device->scenarios[j].best);
        }
        free(device->scenarios);
        intern_fini(&device->pool);
    }
    free(report->devices);
    *report = (struct run_report){0};
}
