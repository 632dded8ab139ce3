#include "report/run_points.h"

#include "base/grow.h"
#include "report/wording.h"
#include "store/prediction.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int no_memory(struct error *error)
{
    return error_set(error, STATUS_HARNESS, "no memory for a point of the report");
}

/* --- which point a trial belongs to --- */

/* ".../g3-live#7": line, the rest behind the last slash, and sequence. */
struct name {
    const char *line, *rest;
    uint32_t sequence;
};

static int split_name(struct run_device *device, const char *stored, struct name *name)
{
    char line[RUN_ID_BYTES], *rest = "";

    snprintf(line, sizeof line, "%s", stored);
    char *hash = strrchr(line, '#');
    name->sequence = hash != NULL ? (uint32_t)strtoul(hash + 1, NULL, 10) : 0;
    if (hash != NULL)
        *hash = '\0';
    char *slash = strrchr(line, '/');
    if (slash != NULL) {
        *slash = '\0';
        rest = slash + 1;
    }
    name->line = intern_text(&device->pool, line);
    name->rest = intern_text(&device->pool, rest);
    return name->line != NULL && name->rest != NULL ? 0 : -1;
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

static int make_slots(struct run_scenario *scenario, size_t slot_count)
{
    uint32_t *slots = calloc(slot_count, sizeof *slots);
    if (slots == NULL)
        return -1;
    free(scenario->slots);
    scenario->slots = slots;
    scenario->slot_count = slot_count;
    for (size_t i = 0; i < scenario->count; ++i)
        slots[slot_of(scenario, scenario->points[i].line, scenario->points[i].rest)] = (uint32_t)i + 1;
    return 0;
}

static struct run_point *point_of(struct run_scenario *scenario, const struct name *name)
{
    if (2 * scenario->count >= scenario->slot_count &&
        make_slots(scenario, scenario->slot_count == 0 ? 32 : 2 * scenario->slot_count) != 0)
        return NULL;
    const size_t slot = slot_of(scenario, name->line, name->rest);
    if (scenario->slots[slot] != 0)
        return &scenario->points[scenario->slots[slot] - 1];
    if (GROW(scenario->points, scenario->count) != 0)
        return NULL;
    scenario->points[scenario->count] = (struct run_point){.line = name->line, .rest = name->rest};
    scenario->slots[slot] = (uint32_t)++scenario->count;
    return &scenario->points[scenario->count - 1];
}

/* --- what a trial says of its point --- */

static void take_launch(const struct run_device *device, struct run_point *point, struct run_tally *tally,
                        const struct expected *expected, const struct store_launch *launch,
                        const struct store_launch **counts)
{
    const enum verdict verdict = launch->verdict;
    const bool surprise =
        expected_is_surprise(expected, verdict, launch->cause, device->stored.probe.loops_cut_at != 0);
    const uint64_t host_ns = launch->observation.duration_ns;
    const uint64_t device_ns = launch->observation.device_ns;
    /* Events that say that a launch took longer than from its begin to its end are not believed. */
    const uint64_t lasted_ns = device_ns != 0 && device_ns <= host_ns ? device_ns : host_ns;

    if (tally->launches == 0 || (point->verdict == VERDICT_PASS && verdict != VERDICT_PASS) ||
        (surprise && !point->launch_surprise)) {
        point->verdict = verdict;
        *counts = launch;
    }
    point->launch_surprise = point->launch_surprise || surprise;
    if (surprise && verdict != VERDICT_INCONCLUSIVE)
        point->surprises |= UINT32_C(1) << verdict;
    point->as_known = point->as_known || verdict_is_in(verdict, expected->tolerated);
    tally->launches += 1;
    tally->counts[verdict] += 1;
    if (verdict == VERDICT_PASS && (point->fastest_ns == 0 || lasted_ns < point->fastest_ns))
        point->fastest_ns = lasted_ns;
    if (verdict == VERDICT_PASS && (point->fastest_host_ns == 0 || host_ns < point->fastest_host_ns))
        point->fastest_host_ns = host_ns;
}

/* Equal structs must have equal bytes, those between their members included. */
static void fill_seen(struct run_seen *seen, const struct store_trial *stored, cause_set causes,
                      const struct store_launch *launch)
{
    memset(seen, 0, sizeof *seen);
    seen->checks = stored->trial.work.checks;
    seen->expected_causes = causes;
    seen->waitfor = (struct waitfor)WAITFOR_NOTHING;
    if (launch == NULL)
        return;
    const struct observation *observation = &launch->observation;
    seen->cause = launch->cause;
    seen->board_read = observation->board_read;
    seen->started = observation->started;
    seen->waiting = observation->waiting;
    seen->done = observation->done;
    seen->witnesses = observation->witnesses;
    seen->checked = observation->checked;
    seen->stale = observation->stale;
    seen->wrong = observation->wrong;
    seen->differing = observation->differing;
    seen->bad_result = observation->bad_result;
    seen->bad_at = observation->bad_at;
    seen->bad_wanted = observation->bad_wanted;
    seen->bad_got = observation->bad_got;
    seen->waitfor = observation->waitfor;
}

static void fill_form(struct run_form *form, const struct store_trial *stored, const struct observation *observation)
{
    memset(form, 0, sizeof *form);
    form->range = stored->trial.work.range;
    form->most_items = stored->most_items;
    form->multiple_items = stored->multiple_items;
    if (observation == NULL)
        return;
    memcpy(form->took, observation->shape, sizeof form->took);
    form->launched = observation->launched;
}

/* Makes the point what this trial says of it. */
static int fill_point(struct run_device *device, struct run_point *point, const struct store_trial *stored,
                      struct error *error)
{
    const struct store_launch *counts = NULL;
    struct expected expected;
    struct run_tally tally = {0};
    struct run_seen seen;
    struct run_form form;

    if (prediction_read(stored, &expected, error) != 0)
        return -1;
    point->expected = expected.verdicts;
    for (uint32_t i = 0; i < stored->count; ++i)
        take_launch(device, point, &tally, &expected, &stored->launches[i], &counts);
    if (!stored->ended) {
        point->verdict = VERDICT_INCOMPLETE;
        tally.launches = tally.counts[VERDICT_INCOMPLETE] = 1;
    }
    fill_seen(&seen, stored, expected.causes, counts);
    seen.cause = wording_cause(&device->stored.probe, seen.cause);
    fill_form(&form, stored, counts != NULL ? &counts->observation : NULL);
    point->tally = intern_bytes(&device->pool, &tally, sizeof tally);
    point->seen = intern_bytes(&device->pool, &seen, sizeof seen);
    point->form = intern_bytes(&device->pool, &form, sizeof form);
    point->whole = intern_bytes(&device->pool, &expected.whole, sizeof expected.whole);
    point->all = point->tally;
    point->tolerated = expected.tolerated;
    point->note = intern_text(&device->pool, stored->note);
    if (point->tally != NULL && point->seen != NULL && point->form != NULL && point->whole != NULL &&
        point->note != NULL)
        return 0;
    no_memory(error);
    return -1;
}

static bool is_undecided(const struct run_point *batch)
{
    return batch->launch_surprise && batch->surprises == 0;
}

/* How many batches surprised; that one was undecided says nothing beside one that was not. */
static uint32_t surprising_batches(const struct run_point *point, const struct run_point *batch)
{
    if (is_undecided(point) && !is_undecided(batch))
        return batch->launch_surprise;
    if (!is_undecided(point) && is_undecided(batch))
        return point->surprising_batches;
    return point->surprising_batches + batch->launch_surprise;
}

/* What both came to together; NULL: memory is short. */
static const struct run_tally *add_tallies(struct run_device *device, const struct run_tally *a,
                                           const struct run_tally *b)
{
    struct run_tally sum = *a;
    sum.launches += b->launches;
    for (int verdict = 0; verdict < VERDICT_COUNT; ++verdict)
        sum.counts[verdict] += b->counts[verdict];
    return intern_bytes(&device->pool, &sum, sizeof sum);
}

/* A surprise that was decided goes before a failure that was expected, and that before passes and what is undecided. */
static int weight(const struct run_point *batch)
{
    const uint32_t *counts = batch->tally->counts;
    const uint32_t no_failure =
        counts[VERDICT_PASS] + counts[VERDICT_INCONCLUSIVE] + counts[VERDICT_UNSUPPORTED] + counts[VERDICT_INCOMPLETE];

    if (batch->surprises != 0)
        return 2;
    return !batch->superseded && !is_undecided(batch) && no_failure < batch->tally->launches;
}

/* What was expected rested on a limit that was counted too low; `by` knows better. */
static void supersede(struct run_point *batch, const struct run_point *by)
{
    if (batch->tally == NULL || batch->resident >= by->resident)
        return;
    batch->surprises = limit_unexplained(batch->surprises) & ~by->expected;
    batch->launch_surprise = batch->surprises != 0;
    batch->surprising_batches = batch->launch_surprise ? batch->surprising_batches : 0;
    batch->resident = by->resident;
    batch->expected = by->expected;
    batch->superseded = true;
}

static bool counts_more(const struct run_point *batch, const struct run_point *point)
{
    if (point->tally == NULL)
        return true;
    if (weight(batch) != weight(point))
        return weight(batch) > weight(point);
    if (batch->superseded != point->superseded)
        return point->superseded;
    return batch->sequence >= point->sequence;
}

/*
 * Of several batches the last one counts, unless another one has more weight: what failed is not undone by what passes.
 * In a merged file the last batch need not be the last that is read.
 */
static void choose_batch(struct run_point *point, struct run_point *batch)
{
    const bool first = point->tally == NULL;

    supersede(point, batch);
    if (!first)
        supersede(batch, point);
    struct run_point *counts = counts_more(batch, point) ? batch : point;
    const uint32_t surprising = first ? batch->launch_surprise : surprising_batches(point, batch);

    counts->surprises = point->surprises | batch->surprises;
    counts->duration_ns = point->duration_ns + batch->duration_ns;
    counts->batches = point->batches + 1;
    counts->surprising_batches = surprising;
    *point = *counts;
}

static int add_batch(struct run_device *device, struct run_point *point, struct run_point *batch, struct error *error)
{
    const struct run_tally *all = point->tally == NULL ? batch->tally : add_tallies(device, point->all, batch->tally);

    if (all == NULL)
        return no_memory(error);
    choose_batch(point, batch);
    point->all = all;
    point->shortfall = whole_judge(point->whole, all->counts, point->tolerated);
    point->surprise = point->launch_surprise || point->shortfall != 0;
    return 0;
}

int run_points_take(struct run_device *device, struct run_scenario *scenario, const struct store_trial *stored,
                    struct error *error)
{
    struct name name;

    if (split_name(device, stored->name, &name) != 0)
        return no_memory(error);
    struct run_point batch = {
        .line = name.line,
        .rest = name.rest,
        .duration_ns = stored->duration_ns,
        .position = stored->prediction.position,
        .sequence = name.sequence,
        .groups = stored->trial.groups,
        .local_size = stored->trial.footprint.local_size,
        .resident = stored->prediction.resident,
        .verdict = VERDICT_NOT_RUN,
        .known_failure = strcmp(stored->prediction.known, "failure") == 0,
        .known_flake = strcmp(stored->prediction.known, "flake") == 0,
    };
    if (fill_point(device, &batch, stored, error) != 0)
        return -1;
    struct run_point *point = point_of(scenario, &name);
    if (point == NULL)
        return no_memory(error);
    scenario->changed = true;
    return add_batch(device, point, &batch, error);
}

const struct run_point *run_points_find(struct run_device *device, const char *scenario, const char *trial)
{
    struct name name;

    for (size_t i = 0; i < device->count; ++i) {
        struct run_scenario *found = &device->scenarios[i];
        if (strcmp(found->name, scenario) != 0 || found->count == 0)
            continue;
        if (split_name(device, trial, &name) != 0)
            return NULL;
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
int run_points_sort(struct run_scenario *scenario)
{
    size_t sorted = 1;

    while (sorted < scenario->count && compare_points(&scenario->points[sorted - 1], &scenario->points[sorted]) <= 0)
        ++sorted;
    if (sorted >= scenario->count)
        return 0;
    uint32_t *order = malloc(scenario->count * sizeof *order);
    if (order == NULL)
        return -1;
    for (size_t i = 0; i < scenario->count; ++i)
        order[i] = (uint32_t)i;
    qsort_r(order, scenario->count, sizeof *order, compare_indexes, scenario->points);
    permute(scenario->points, order, scenario->count);
    free(order);
    return make_slots(scenario, scenario->slot_count);
}
