#include "report/compare.h"

#include "base/grow.h"
#include "report/extent.h"

#include <stdlib.h>
#include <string.h>

/* --- what a run says --- */

/* A point of a run's report; of limits a footprint, by one of the estimators. */
struct seen_point {
    char *id;
    const struct batches *batches;
    const struct naming *naming;
    uint32_t resident;
    bool publication;
};

struct seen_device {
    struct seen_point *points; /* by their ids */
    size_t count;
};

static int no_memory(struct error *error)
{
    return error_set(error, STATUS_HARNESS, "no memory for a comparison");
}

/* One of which no trial has ended says nothing. */
static int see_point(struct seen_device *device, const char *id, const struct seen_point *seen)
{
    if (seen->batches->seen == 0)
        return 0;
    if (GROW(device->points, device->count) != 0)
        return -1;
    device->points[device->count] = *seen;
    device->points[device->count].id = strdup(id);
    return device->points[device->count++].id != NULL ? 0 : -1;
}

static int see_scenario(struct seen_device *device, const struct run_scenario *scenario)
{
    char id[RUN_ID_BYTES];

    for (size_t i = 0; i < scenario->count; ++i) {
        const struct run_point *point = &scenario->points[i];
        run_point_id(point, id);
        const struct seen_point seen = {NULL, &point->batches, &verdict_naming, point->batches.resident,
                                        scenario->publication};
        if (see_point(device, id, &seen) != 0)
            return -1;
    }
    return 0;
}

static int see_row(struct seen_device *device, const struct limits_device *of, const struct limits_row *row)
{
    char occupied[240], id[RUN_ID_BYTES];

    limits_row_name(of, row, occupied, sizeof occupied);
    for (int act = 0; act < ESTIMATOR_COUNT; ++act) {
        const struct limits_estimate *estimate = &row->estimates[act];
        snprintf(id, sizeof id, "limits/%s/%s", act_name((enum act)act), occupied);
        const struct seen_point seen = {NULL, &estimate->batches, &verdict_naming, estimate->counted, false};
        if (see_point(device, id, &seen) != 0)
            return -1;
    }
    return 0;
}

/* An amount that is more than was promised, or of which nothing was, is no limit that may not be lower. */
static int see_promise(struct seen_device *device, const struct audit_row *row)
{
    const bool is_limit =
        row->promise->unit[0] != '\0' && (row->keeping == KEEPING_KEPT || row->keeping == KEEPING_BROKEN);
    const uint64_t amount = is_limit ? row->finding.measured : 0;
    char id[RUN_ID_BYTES];

    snprintf(id, sizeof id, "audit/%s", row->promise->name);
    const struct seen_point seen = {NULL, &row->batches, &keeping_naming,
                                    amount < UINT32_MAX ? (uint32_t)amount : UINT32_MAX, false};
    return see_point(device, id, &seen);
}

static int compare_ids(const void *a, const void *b)
{
    return strcmp(((const struct seen_point *)a)->id, ((const struct seen_point *)b)->id);
}

/* A file that was merged of runs of both has limits and points. */
static int see_device(struct seen_device *device, const struct report *report, size_t index)
{
    for (size_t i = 0; report->run.count > 0 && i < report->run.devices[index].count; ++i)
        if (see_scenario(device, &report->run.devices[index].scenarios[i]) != 0)
            return -1;
    const struct limits_device *limits = report->limits.count > 0 ? &report->limits.devices[index] : NULL;
    for (size_t i = 0; limits != NULL && i < limits->count; ++i)
        if (see_row(device, limits, &limits->rows[i]) != 0)
            return -1;
    for (size_t i = 0; report->audit.count > 0 && i < report->audit.devices[index].count; ++i)
        if (see_promise(device, &report->audit.devices[index].rows[i]) != 0)
            return -1;
    if (device->count > 0)
        qsort(device->points, device->count, sizeof *device->points, compare_ids);
    return 0;
}

static void free_seen(struct seen_device *device)
{
    for (size_t i = 0; i < device->count; ++i)
        free(device->points[i].id);
    free(device->points);
}

/* --- what changed --- */

static bool is_one(verdict_set set)
{
    return set != 0 && (set & (set - 1)) == 0;
}

static const verdict_set passes = UINT32_C(1) << VERDICT_PASS;

static enum change change_of_promise(const struct batches *before, const struct batches *after)
{
    const verdict_set holds = UINT32_C(1) << KEEPING_KEPT | UINT32_C(1) << KEEPING_EXCEEDED;

    if (after->surprise)
        return CHANGE_REGRESSION;
    return before->surprise && (after->seen & holds) != 0 ? CHANGE_FIX : CHANGE_OTHER;
}

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
        .naming = point->naming,
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
    if (slash != NULL && strncmp(line, "limits/", 7) != 0 && after->naming == &verdict_naming)
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
    const bool promise = after->naming == &keeping_naming;

    device->same += same;
    if (!same && add_point(device, after, old->seen, new->seen,
                           promise ? change_of_promise(old, new) : change_of(old, new)) != 0)
        return -1;
    if (promise && (before->resident == 0 || after->resident == 0))
        return 0; /* what is undecided has no amount */
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

/* --- runs --- */

static int compare_device(struct comparison *comparison, const struct device_pair *pair, struct error *error)
{
    struct seen_device old = {.count = 0}, new = {.count = 0};

    if (GROW(comparison->devices, comparison->count) != 0)
        return no_memory(error);
    struct compare_device *device = &comparison->devices[comparison->count++];
    const struct report *olds = &comparison->before, *news = &comparison->after;
    const bool in_before = pair->before < report_device_count(olds), in_after = pair->after < report_device_count(news);

    *device = (struct compare_device){.paired_by = pair->by};
    if (in_before)
        device->before = &report_device(olds, pair->before)->info;
    if (in_after)
        device->after = &report_device(news, pair->after)->info;
    if (comparison->of_tests) {
        device->progress.before = in_before ? &olds->progress.devices[pair->before] : NULL;
        device->progress.after = in_after ? &news->progress.devices[pair->after] : NULL;
        return 0;
    }
    const int result = (!in_before || see_device(&old, olds, pair->before) == 0) &&
                               (!in_after || see_device(&new, news, pair->after) == 0) &&
                               compare_points(device, &old, &new) == 0
                           ? 0
                           : no_memory(error);
    free_seen(&old);
    free_seen(&new);
    return result;
}

/* Points also of a run of limits, which may be merged of both. */
static int read_run(struct report *report, struct store *store, struct error *error)
{
    if (report_read(report, store, error) != 0)
        return -1;
    return report->kind == REPORT_LIMITS ? run_report_update(&report->run, store, error) : 0;
}

int compare_runs(struct store *before, struct store *after, const struct device_pairs *pairs,
                 struct comparison *comparison, struct error *error)
{
    int result = 0;

    *comparison = (struct comparison){.count = 0};
    if (read_run(&comparison->before, before, error) != 0 || read_run(&comparison->after, after, error) != 0)
        return -1;
    comparison->of_tests = comparison->before.kind == REPORT_PROGRESS;
    for (size_t i = 0; i < pairs->count && result == 0; ++i)
        result = compare_device(comparison, &pairs->pairs[i], error);
    for (size_t i = 0; comparison->of_tests && i < comparison->count && result == 0; ++i)
        result = compare_progress(&comparison->devices[i].progress, before, after, error);
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
        compare_progress_fini(&device->progress);
    }
    free(comparison->devices);
    report_fini(&comparison->before);
    report_fini(&comparison->after);
}

static bool has_regression(const struct compare_device *device)
{
    for (size_t i = 0; i < device->limit_count; ++i)
        if (device->limits[i].after < device->limits[i].before)
            return true;
    for (size_t i = 0; i < device->point_count; ++i)
        if (device->points[i].change == CHANGE_REGRESSION)
            return true;
    return compare_progress_has_regression(&device->progress);
}

bool comparison_has_regression(const struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->count; ++i)
        if (has_regression(&comparison->devices[i]))
            return true;
    return false;
}

bool comparison_is_complete(const struct comparison *comparison)
{
    return report_is_complete(&comparison->before) && report_is_complete(&comparison->after);
}

NAMING_DEFINE(change, enum change, "regression", "fix", "flaky", "other", "new", "gone");
