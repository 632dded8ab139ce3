#include "report/compare.h"

#include "base/grow.h"
#include "store/prediction.h"

#include <stdlib.h>
#include <string.h>

/* --- what a run says --- */

/* A point of one run: all its batches of launches together; one that was undecided beside others says nothing. */
struct seen_point {
    char *id;
    verdict_set seen, expected;
    verdict_set surprises; /* of those seen */
    uint32_t resident;
    uint32_t predicted_by; /* the limit that its prediction rested on; 0: none */
    bool shortfall;        /* of what was expected of it as a whole */
    /* Of all batches together, undecided ones included. */
    struct whole whole;
    verdict_set tolerated;
    uint32_t counts[VERDICT_COUNT];
};

struct seen_device {
    struct store_device stored;
    struct seen_point *points;
    size_t count;
};

struct seen_run {
    struct seen_device *devices;
    size_t count;
    struct error *error;
};

static int no_memory(struct error *error)
{
    return error_set(error, STATUS_HARNESS, "no memory for a comparison");
}

static int take_device(void *context, const struct store_device *stored)
{
    struct seen_run *run = context;

    if (GROW(run->devices, run->count) != 0)
        return no_memory(run->error);
    run->devices[run->count++] = (struct seen_device){.stored = *stored};
    return 0;
}

struct trial_context {
    struct seen_device *device;
    struct error *error;
};

/* A trial's id without its sequence; of a limits run the footprint, whose trials are one point. */
static char *point_name(const struct store_trial *stored)
{
    char *id = strdup(stored->name);
    if (id == NULL)
        return NULL;
    char *end = strrchr(id, '#');
    if (end != NULL)
        *end = '\0';
    if (stored->trial.work.kernel[0] == '\0' && (end = strrchr(id, '/')) != NULL)
        *end = '\0';
    return id;
}

static int take_trial(void *context, const struct store_trial *stored)
{
    struct trial_context *taking = context;
    struct seen_device *device = taking->device;
    struct expected expected;

    if (!stored->ended || stored->trial.act == ACT_PROGRESS ||
        (stored->trial.work.kernel[0] != '\0' && stored->trial.act != ACT_WORK))
        return 0;
    if (GROW(device->points, device->count) != 0)
        return no_memory(taking->error);
    if (prediction_read(stored, &expected, taking->error) != 0)
        return -1;
    struct seen_point *point = &device->points[device->count];
    *point = (struct seen_point){
        .id = point_name(stored),
        .expected = expected.verdicts,
        .resident = stored->prediction.resident,
        .predicted_by = stored->prediction.resident,
        .whole = expected.whole,
        .tolerated = expected.tolerated,
    };
    if (point->id == NULL)
        return no_memory(taking->error);
    device->count += 1;
    for (uint32_t i = 0; i < stored->count; ++i) {
        const struct store_launch *launch = &stored->launches[i];
        point->seen |= UINT32_C(1) << launch->verdict;
        point->counts[launch->verdict] += 1;
        if (expected_is_surprise(&expected, launch->verdict, launch->cause, device->stored.probe.loops_cut_at != 0))
            point->surprises |= UINT32_C(1) << launch->verdict;
        /* Of the limits kernel: the most groups that were counted together, or passed a barrier. */
        if (stored->trial.work.kernel[0] == '\0' && stored->launches[i].observation.counted > point->resident)
            point->resident = stored->launches[i].observation.counted;
    }
    return 0;
}

static int compare_ids(const void *a, const void *b)
{
    return strcmp(((const struct seen_point *)a)->id, ((const struct seen_point *)b)->id);
}

static bool is_undecided(const struct seen_point *point)
{
    return verdict_is_in(VERDICT_INCONCLUSIVE, point->seen);
}

/* What was expected rested on a limit that was counted too low; `by` knows better. */
static void supersede(struct seen_point *batch, const struct seen_point *by)
{
    if (batch->predicted_by >= by->predicted_by)
        return;
    batch->seen = limit_unexplained(batch->seen);
    batch->surprises = limit_unexplained(batch->surprises) & ~by->expected;
    batch->expected = by->expected;
    batch->predicted_by = by->predicted_by;
}

/* Adds a batch of the same point, whose id is its own. */
static void add_batch(struct seen_point *point, struct seen_point *batch)
{
    supersede(point, batch);
    supersede(batch, point);
    const bool undone = is_undecided(point) && !is_undecided(batch);
    const bool ignored = !is_undecided(point) && is_undecided(batch);

    if (!ignored) {
        point->seen = undone ? batch->seen : point->seen | batch->seen;
        point->surprises = undone ? batch->surprises : point->surprises | batch->surprises;
    }
    for (int verdict = 0; verdict < VERDICT_COUNT; ++verdict)
        point->counts[verdict] += batch->counts[verdict];
    if (batch->resident > point->resident)
        point->resident = batch->resident;
}

/* Points that came several times become one. */
static void unite(struct seen_device *device)
{
    size_t kept = 0;

    if (device->count > 0)
        qsort(device->points, device->count, sizeof *device->points, compare_ids);
    for (size_t i = 0; i < device->count; ++i) {
        struct seen_point *last = kept > 0 ? &device->points[kept - 1] : NULL;
        if (last == NULL || strcmp(last->id, device->points[i].id) != 0) {
            device->points[kept++] = device->points[i];
            continue;
        }
        add_batch(last, &device->points[i]);
        free(device->points[i].id);
    }
    device->count = kept;
    for (size_t i = 0; i < kept; ++i) {
        struct seen_point *point = &device->points[i];
        point->shortfall = whole_judge(&point->whole, point->counts, point->tolerated) != 0;
    }
}

static int read_run(struct store *store, struct seen_run *run, struct error *error)
{
    *run = (struct seen_run){.error = error};
    if (store_each_device(store, take_device, run, error) != 0)
        return -1;
    for (size_t i = 0; i < run->count; ++i) {
        struct trial_context context = {&run->devices[i], error};
        if (store_each_trial(store, run->devices[i].stored.id, 0, take_trial, &context, error) != 0)
            return -1;
        unite(&run->devices[i]);
    }
    return 0;
}

static void free_run(struct seen_run *run)
{
    for (size_t i = 0; i < run->count; ++i) {
        for (size_t j = 0; j < run->devices[i].count; ++j)
            free(run->devices[i].points[j].id);
        free(run->devices[i].points);
    }
    free(run->devices);
}

/* --- what changed --- */

static bool is_one(verdict_set set)
{
    return set != 0 && (set & (set - 1)) == 0;
}

static const verdict_set passes = UINT32_C(1) << VERDICT_PASS;

static bool is_surprise(const struct seen_point *point)
{
    return point->surprises != 0 || point->shortfall;
}

static enum change change_of(const struct seen_point *before, const struct seen_point *after)
{
    if (is_surprise(before) != is_surprise(after))
        return is_surprise(after) ? CHANGE_REGRESSION : CHANGE_FIX;
    if (before->seen == passes && (after->seen & passes) == 0)
        return CHANGE_REGRESSION;
    if (after->seen == passes && (before->seen & passes) == 0)
        return CHANGE_FIX;
    return is_one(before->seen) && !is_one(after->seen) ? CHANGE_FLAKY : CHANGE_OTHER;
}

static int add_point(struct compare_device *device, const struct seen_point *point, verdict_set before,
                     verdict_set after, enum change change)
{
    if (GROW(device->points, device->point_count) != 0)
        return -1;
    device->points[device->point_count] = (struct compare_point){
        .id = strdup(point->id),
        .before = before,
        .after = after,
        .expected = point->expected,
        .change = change,
        .publication = strncmp(point->id, "publish_", 8) == 0 || strncmp(point->id, "lock_publication", 16) == 0,
    };
    return device->points[device->point_count++].id == NULL ? -1 : 0;
}

/* The limit of a line is said once, at its first point. */
static int add_limit(struct compare_device *device, const struct seen_point *before, const struct seen_point *after)
{
    char line[256];
    snprintf(line, sizeof line, "%s", after->id);
    char *slash = strrchr(line, '/');
    if (slash != NULL && strncmp(line, "limits/", 7) != 0)
        *slash = '\0';
    for (size_t i = device->limit_count; i > 0; --i)
        if (strcmp(device->limits[i - 1].line, line) == 0)
            return 0;
    if (GROW(device->limits, device->limit_count) != 0)
        return -1;
    device->limits[device->limit_count] = (struct compare_limit){strdup(line), before->resident, after->resident};
    return device->limits[device->limit_count++].line == NULL ? -1 : 0;
}

static int compare_both(struct compare_device *device, const struct seen_point *before, const struct seen_point *after)
{
    const bool same = before->seen == after->seen && is_surprise(before) == is_surprise(after);

    device->same += same;
    if (!same && add_point(device, after, before->seen, after->seen, change_of(before, after)) != 0)
        return -1;
    return before->resident != after->resident ? add_limit(device, before, after) : 0;
}

/* Both lists are sorted by id. */
static int compare_points(struct compare_device *device, const struct seen_device *before,
                          const struct seen_device *after)
{
    const struct seen_point *old = before->points, *new = after->points;
    const struct seen_point *const old_end = old + before->count, *const new_end = new + after->count;
    int result = 0;

    while (result == 0 && (old < old_end || new < new_end)) {
        const int order = old == old_end ? 1 : new == new_end ? -1 : strcmp(old->id, new->id);
        if (order < 0)
            result = add_point(device, old, old->seen, 0, CHANGE_GONE);
        else if (order > 0)
            result = add_point(device, new, 0, new->seen, CHANGE_NEW);
        else
            result = compare_both(device, old, new);
        old += order <= 0;
        new += order >= 0;
    }
    return result;
}

static const struct seen_device *find_device(const struct seen_run *run, const struct device_info *info)
{
    for (size_t i = 0; i < run->count; ++i)
        if (device_info_same(&run->devices[i].stored.info, info))
            return &run->devices[i];
    return NULL;
}

static int add_device(struct comparison *comparison, const struct seen_device *before, const struct seen_device *after)
{
    static const struct seen_device none;

    if (GROW(comparison->devices, comparison->count) != 0)
        return -1;
    struct compare_device *device = &comparison->devices[comparison->count++];
    *device = (struct compare_device){.in_before = before != NULL, .in_after = after != NULL};
    if (before != NULL)
        device->before = before->stored.info;
    if (after != NULL)
        device->after = after->stored.info;
    return compare_points(device, before != NULL ? before : &none, after != NULL ? after : &none);
}

int compare_runs(struct store *before, struct store *after, struct comparison *comparison, struct error *error)
{
    struct seen_run old = {NULL, 0, NULL}, new = {NULL, 0, NULL};
    int result = read_run(before, &old, error);

    *comparison = (struct comparison){NULL, 0};
    if (result == 0)
        result = read_run(after, &new, error);
    for (size_t i = 0; i < old.count && result == 0; ++i)
        result = add_device(comparison, &old.devices[i], find_device(&new, &old.devices[i].stored.info)) == 0
                     ? 0
                     : no_memory(error);
    for (size_t i = 0; i < new.count &&result == 0; ++i)
        if (find_device(&old, &new.devices[i].stored.info) == NULL)
            result = add_device(comparison, NULL, &new.devices[i]) == 0 ? 0 : no_memory(error);
    free_run(&old);
    free_run(&new);
    return result;
}

void comparison_fini(struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->count; ++i) {
        struct compare_device *device = &comparison->devices[i];
        for (size_t j = 0; j < device->point_count; ++j)
            free(device->points[j].id);
        for (size_t j = 0; j < device->limit_count; ++j)
            free(device->limits[j].line);
        free(device->points);
        free(device->limits);
    }
    free(comparison->devices);
    *comparison = (struct comparison){NULL, 0};
}

size_t comparison_count(const struct comparison *comparison, enum change change)
{
    size_t count = 0;
    for (size_t i = 0; i < comparison->count; ++i)
        for (size_t j = 0; j < comparison->devices[i].point_count; ++j)
            count += comparison->devices[i].points[j].change == change;
    return count;
}

bool comparison_has_regression(const struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->count; ++i)
        for (size_t j = 0; j < comparison->devices[i].limit_count; ++j)
            if (comparison->devices[i].limits[j].after < comparison->devices[i].limits[j].before)
                return true;
    return comparison_count(comparison, CHANGE_REGRESSION) > 0;
}

NAMING_DEFINE(change, enum change, "regression", "fix", "flaky", "other", "new", "gone");
