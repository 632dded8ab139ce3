#include "report/compare.h"

#include "base/grow.h"
#include "report/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- what a run says --- */

/* A point of a run's report; of limits a footprint, by one of the estimators. */
struct seen_point {
    char *id;
    const struct batches *batches;
    uint32_t resident;
    bool publication;
};

struct seen_device {
    struct store_device stored;
    struct seen_point *points; /* by their ids */
    size_t count;
};

/* What its reports have; `devices` is theirs in another form. */
struct seen_run {
    struct report report;
    struct seen_device *devices;
    size_t count;
};

static int no_memory(struct error *error)
{
    return error_set(error, STATUS_HARNESS, "no memory for a comparison");
}

/* One of which no trial has ended says nothing. */
static int see_point(struct seen_device *device, const char *id, const struct batches *batches, uint32_t resident,
                     bool publication)
{
    if (batches->seen == 0)
        return 0;
    if (GROW(device->points, device->count) != 0)
        return -1;
    device->points[device->count] = (struct seen_point){strdup(id), batches, resident, publication};
    return device->points[device->count++].id != NULL ? 0 : -1;
}

static int see_scenario(struct seen_device *device, const struct run_scenario *scenario)
{
    char id[RUN_ID_BYTES];

    for (size_t i = 0; i < scenario->count; ++i) {
        const struct run_point *point = &scenario->points[i];
        run_point_id(point, id);
        if (see_point(device, id, &point->batches, point->batches.resident, scenario->publication) != 0)
            return -1;
    }
    return 0;
}

static int see_row(struct seen_device *device, const struct limits_row *row)
{
    const struct footprint *footprint = &row->search.footprint;
    char id[RUN_ID_BYTES];

    for (int act = 0; act < ESTIMATOR_COUNT; ++act) {
        const struct limits_estimate *estimate = &row->estimates[act];
        snprintf(id, sizeof id, "limits/%s/l%" PRIu32 "-m%" PRIu64 "-p%" PRIu32, act_name((enum act)act),
                 footprint->local_size, footprint->local_memory_bytes, footprint->private_bytes);
        if (see_point(device, id, &estimate->batches, estimate->counted, false) != 0)
            return -1;
    }
    return 0;
}

static int compare_ids(const void *a, const void *b)
{
    return strcmp(((const struct seen_point *)a)->id, ((const struct seen_point *)b)->id);
}

static int see_device(struct seen_run *run, struct seen_device *device, size_t index)
{
    const struct run_device *points = &run->report.run.devices[index];

    device->stored = points->stored;
    for (size_t i = 0; i < points->count; ++i)
        if (see_scenario(device, &points->scenarios[i]) != 0)
            return -1;
    const struct limits_report *limits = &run->report.limits;
    for (size_t i = 0; limits->count > 0 && i < limits->devices[index].count; ++i)
        if (see_row(device, &limits->devices[index].rows[i]) != 0)
            return -1;
    if (device->count > 0)
        qsort(device->points, device->count, sizeof *device->points, compare_ids);
    return 0;
}

/* A file that was merged of runs of both has limits and points. */
static int read_run(struct store *store, struct seen_run *run, struct error *error)
{
    struct run_report *points = &run->report.run;

    if (report_read(&run->report, store, error) != 0 ||
        (points->count == 0 && run_report_update(points, store, error) != 0))
        return -1;
    run->devices = calloc(points->count + 1, sizeof *run->devices);
    if (run->devices == NULL)
        return no_memory(error);
    while (run->count < points->count) {
        const size_t index = run->count++;
        if (see_device(run, &run->devices[index], index) != 0)
            return no_memory(error);
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
    report_fini(&run->report);
}

/* --- what changed --- */

static bool is_one(verdict_set set)
{
    return set != 0 && (set & (set - 1)) == 0;
}

static const verdict_set passes = UINT32_C(1) << VERDICT_PASS;

static enum change change_of(const struct batches *before, const struct batches *after)
{
    if (before->surprise != after->surprise)
        return after->surprise ? CHANGE_REGRESSION : CHANGE_FIX;
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
        .expected = point->batches->expected,
        .change = change,
        .publication = point->publication,
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
    const struct batches *old = before->batches, *new = after->batches;
    const bool same = old->seen == new->seen && old->surprise == new->surprise;

    device->same += same;
    if (!same && add_point(device, after, old->seen, new->seen, change_of(old, new)) != 0)
        return -1;
    return before->resident != after->resident ? add_limit(device, before, after) : 0;
}

/* Both lists are sorted by id. */
static int compare_points(struct compare_device *device, const struct seen_device *before,
                          const struct seen_device *after)
{
    size_t old = 0, new = 0;
    int result = 0;

    while (result == 0) {
        const struct seen_point *then = old < before->count ? &before->points[old] : NULL;
        const struct seen_point *now = new < after->count ? &after->points[new] : NULL;
        if (then == NULL && now == NULL)
            break;
        const int order = then == NULL ? 1 : now == NULL ? -1 : strcmp(then->id, now->id);
        if (order == 0)
            result = compare_both(device, then, now);
        else if (order < 0)
            result = add_point(device, then, then->batches->seen, 0, CHANGE_GONE);
        else
            result = add_point(device, now, 0, now->batches->seen, CHANGE_NEW);
        old += order <= 0;
        new += order >= 0;
    }
    return result;
}

static const struct seen_device *device_at(const struct seen_run *run, size_t place)
{
    return place < run->count ? &run->devices[place] : NULL;
}

static int add_device(struct comparison *comparison, const struct seen_device *before, const struct seen_device *after,
                      enum pairing paired_by)
{
    static const struct seen_device none;

    if (GROW(comparison->devices, comparison->count) != 0)
        return -1;
    struct compare_device *device = &comparison->devices[comparison->count++];
    *device = (struct compare_device){.in_before = before != NULL, .in_after = after != NULL, .paired_by = paired_by};
    if (before != NULL)
        device->before = before->stored.info;
    if (after != NULL)
        device->after = after->stored.info;
    return compare_points(device, before != NULL ? before : &none, after != NULL ? after : &none);
}

int compare_runs(struct store *before, struct store *after, const struct device_pairs *pairs,
                 struct comparison *comparison, struct error *error)
{
    struct seen_run old = {.count = 0}, new = {.count = 0};
    int result = read_run(before, &old, error);

    *comparison = (struct comparison){NULL, 0};
    if (result == 0)
        result = read_run(after, &new, error);
    for (size_t i = 0; i < pairs->count && result == 0; ++i) {
        const struct device_pair *pair = &pairs->pairs[i];
        if (add_device(comparison, device_at(&old, pair->before), device_at(&new, pair->after), pair->by) != 0)
            result = no_memory(error);
    }
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
