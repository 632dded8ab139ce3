#include "report/run_points.h"

#include "base/alloc.h"
#include "report/batch.h"
#include "report/wording.h"
#include "store/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- which point a trial belongs to --- */

/* ".../g3-live#7": line, and the rest behind the last slash. */
struct name {
    const char *line, *rest;
};

static struct name split_name(struct run_device *device, const char *stored)
{
    char line[RUN_ID_BYTES], *rest = "";

    snprintf(line, sizeof line, "%s", stored);
    char *hash = strrchr(line, '#');
    if (hash != NULL)
        *hash = '\0';
    char *slash = strrchr(line, '/');
    if (slash != NULL) {
        *slash = '\0';
        rest = slash + 1;
    }
    return (struct name){intern_text(&device->pool, line), intern_text(&device->pool, rest)};
}

/* The pool gives equal texts one address. */
static size_t slot_of(const struct run_scenario *scenario, const char *line, const char *rest)
{
    const uint64_t mixed = ((uint64_t)(uintptr_t)line * 31 + (uint64_t)(uintptr_t)rest) * UINT64_C(0x9e3779b97f4a7c15);
    size_t at = (size_t)(mixed >> 32) & (scenario->slot_count - 1);
    for (; scenario->slots[at] != 0; at = (at + 1) & (scenario->slot_count - 1)) {
        const struct run_point *point = &scenario->points[scenario->slots[at] - 1];
        if (point->line == line && point->rest == rest)
            break;
    }
    return at;
}

static void make_slots(struct run_scenario *scenario, size_t slot_count)
{
    free(scenario->slots);
    scenario->slots = xcalloc(slot_count, sizeof *scenario->slots);
    scenario->slot_count = slot_count;
    for (size_t i = 0; i < scenario->count; ++i)
        scenario->slots[slot_of(scenario, scenario->points[i].line, scenario->points[i].rest)] = (uint32_t)i + 1;
}

static struct run_point *point_of(struct run_scenario *scenario, const struct name *name)
{
    if (2 * scenario->count >= scenario->slot_count)
        make_slots(scenario, scenario->slot_count == 0 ? 32 : 2 * scenario->slot_count);
    const size_t slot = slot_of(scenario, name->line, name->rest);
    if (scenario->slots[slot] != 0)
        return &scenario->points[scenario->slots[slot] - 1];
    GROW(scenario->points, scenario->count);
    scenario->points[scenario->count] = (struct run_point){.line = name->line, .rest = name->rest};
    scenario->slots[slot] = (uint32_t)++scenario->count;
    return &scenario->points[scenario->count - 1];
}

/* --- what a trial says of its point --- */

static void take_faster(uint64_t *fastest, uint64_t time)
{
    if (*fastest == 0 || time < *fastest)
        *fastest = time;
}

static void take_time(struct run_point *point, const struct store_launch *launch)
{
    const uint64_t host_ns = launch->observation.duration_ns;
    const uint64_t device_ns = launch->observation.device_ns;

    if (launch->verdict != VERDICT_PASS)
        return;
    /* Events that say that a launch took longer than from its begin to its end are not believed. */
    take_faster(&point->fastest_ns, device_ns != 0 && device_ns <= host_ns ? device_ns : host_ns);
    take_faster(&point->fastest_host_ns, host_ns);
    if (launch->observation.handover_ps != 0)
        take_faster(&point->handover_ps, launch->observation.handover_ps);
}

/* Equal structs must have equal bytes, those between their members included. */
static void fill_seen(struct run_seen *seen, const struct store_trial *stored, cause_set causes,
                      const struct store_launch *launch)
{
    memset(seen, 0, sizeof *seen);
    seen->checks = stored->trial.work.checks;
    seen->expected_causes = causes;
    seen->launch.observation.waitfor = (struct waitfor)WAITFOR_NOTHING;
    if (launch != NULL)
        facts_keep(&seen->launch, launch);
}

static void fill_form(struct run_form *form, const struct store_trial *stored, const struct observation *observation)
{
    memset(form, 0, sizeof *form);
    form->range = stored->trial.work.range;
    form->facts = stored->facts;
    if (observation == NULL)
        return;
    memcpy(form->took, observation->shape, sizeof form->took);
    form->launched = observation->launched;
}

/* Makes the point what this trial says of it. */
static int fill_point(struct run_device *device, struct run_point *point, const struct store_trial *stored,
                      struct error *error)
{
    struct batch_reading batch;
    struct run_seen seen;
    struct run_form form;

    if (batch_read(&batch, &device->stored.probe, stored, error) != 0)
        return -1;
    point->batches = batch.batches;
    for (uint32_t i = 0; i < stored->count; ++i)
        take_time(point, &stored->launches[i]);
    fill_seen(&seen, stored, batch.expected.causes, batch.telling);
    seen.launch.cause = wording_cause(&device->stored.probe, seen.launch.cause);
    fill_form(&form, stored, batch.telling != NULL ? &batch.telling->observation : NULL);
    point->tally = intern_bytes(&device->pool, &batch.tally, sizeof batch.tally);
    point->seen = intern_bytes(&device->pool, &seen, sizeof seen);
    point->form = intern_bytes(&device->pool, &form, sizeof form);
    point->whole = intern_bytes(&device->pool, &batch.expected.whole, sizeof batch.expected.whole);
    point->all = point->tally;
    point->note = intern_text(&device->pool, stored->note);
    point->made_up = intern_text(&device->pool, stored->made_up);
    return 0;
}

static void add_batch(struct run_device *device, struct run_point *point, const struct run_point *batch)
{
    const struct verdict_tally *all = batch->tally;
    struct verdict_tally sum = *batch->tally;
    const uint64_t duration_ns = point->duration_ns + batch->duration_ns;
    const uint32_t left_out = point->left_out | batch->left_out;
    struct batches batches = point->batches;

    if (point->tally != NULL) {
        tally_add(&sum, point->all);
        all = intern_bytes(&device->pool, &sum, sizeof sum);
    }
    if (batches_add(&batches, &batch->batches))
        *point = *batch;
    batches_judge(&batches, point->whole, all);
    point->batches = batches;
    point->all = all;
    point->duration_ns = duration_ns;
    point->left_out = left_out;
}

/* It points into the pool. */
static const struct schedule_view *keep_schedule(struct run_device *device, const struct schedule_kept *kept)
{
    struct schedule_view view = schedule_view(kept);

    if (view.last == NULL)
        return NULL;
    view.last = intern_bytes(&device->pool, view.last, view.count * sizeof *view.last);
    view.stops = intern_text(&device->pool, view.stops);
    return intern_bytes(&device->pool, &view, sizeof view);
}

int run_points_take(struct run_device *device, struct run_scenario *scenario, const struct store_trial *stored,
                    const struct schedule_kept *kept, struct error *error)
{
    const struct name name = split_name(device, stored->name);
    struct run_point batch = {
        .line = name.line,
        .rest = name.rest,
        .duration_ns = stored->duration_ns,
        .left_out = optional_parse(stored->trial.left_out),
        .run = stored->run,
        .position = stored->prediction.position,
        .groups = stored->trial.groups,
        .local_size = stored->trial.footprint.local_size,
        .known = stored->prediction.known,
        .anti_pattern = stored->trial.work.anti_pattern,
    };
    if (fill_point(device, &batch, stored, error) != 0)
        return -1;
    batch.schedule = keep_schedule(device, kept);
    scenario->changed = true;
    add_batch(device, point_of(scenario, &name), &batch);
    return 0;
}

const struct run_point *run_points_find(struct run_device *device, const char *scenario, const char *trial)
{
    for (size_t i = 0; i < device->count; ++i) {
        struct run_scenario *found = &device->scenarios[i];
        if (strcmp(found->name, scenario) != 0 || found->count == 0)
            continue;
        const struct name name = split_name(device, trial);
        const uint32_t slot = found->slots[slot_of(found, name.line, name.rest)];
        return slot != 0 ? &found->points[slot - 1] : NULL;
    }
    return NULL;
}

/* --- order --- */

static int compare_points(const struct run_point *a, const struct run_point *b)
{
    char one[RUN_ID_BYTES], other[RUN_ID_BYTES];

    if (a->position != b->position)
        return a->position < b->position ? -1 : 1;
    run_point_id(a, one);
    run_point_id(b, other);
    return strcmp(one, other);
}

static int compare_indexes(const void *a, const void *b, void *context)
{
    const struct run_point *points = context;
    return compare_points(&points[*(const uint32_t *)a], &points[*(const uint32_t *)b]);
}

/* Moves each point to its place; order[i] says which one belongs at i. */
static void permute(struct run_point *points, uint32_t *order, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        const struct run_point first = points[i];
        size_t at = i;
        while (order[at] != i) {
            const size_t from = order[at];
            points[at] = points[from];
            order[at] = (uint32_t)at;
            at = from;
        }
        points[at] = first;
        order[at] = (uint32_t)at;
    }
}

/* The rows of a run that went on are seldom out of order, so this is for few. */
void run_points_sort(struct run_scenario *scenario)
{
    size_t sorted = 1;

    while (sorted < scenario->count && compare_points(&scenario->points[sorted - 1], &scenario->points[sorted]) <= 0)
        ++sorted;
    if (sorted >= scenario->count)
        return;
    uint32_t *order = xmalloc(scenario->count * sizeof *order);
    for (size_t i = 0; i < scenario->count; ++i)
        order[i] = (uint32_t)i;
    qsort_r(order, scenario->count, sizeof *order, compare_indexes, scenario->points);
    permute(scenario->points, order, scenario->count);
    free(order);
    make_slots(scenario, scenario->slot_count);
}
