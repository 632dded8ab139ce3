#include "report/compare.h"

#include "base/alloc.h"
#include "report/compare_points.h"
#include "report/extent.h"

#include <stdlib.h>

/* Nothing of the plan is in another shard, or left. */
static bool is_whole(const struct report *report, size_t device)
{
    struct extent extent;

    report_extent(report, device, &extent);
    return extent.ended && extent.elsewhere == 0;
}

static const struct progress_device *tests_of(const struct report *report, bool there, size_t device,
                                              enum block_level level)
{
    return there ? progress_at(&report->progress.devices[device], level) : NULL;
}

/* Where threads are something else: as another device, if one of the runs has such tests. */
static void compare_level(struct comparison *comparison, const struct device_pair *pair, enum block_level level)
{
    const struct report *olds = &comparison->before, *news = &comparison->after;
    const bool in_before = pair->before < report_device_count(olds), in_after = pair->after < report_device_count(news);
    const struct progress_device *before = tests_of(olds, in_before, pair->before, level);
    const struct progress_device *after = tests_of(news, in_after, pair->after, level);

    if (before == NULL && after == NULL)
        return;
    GROW(comparison->devices, comparison->count);
    comparison->devices[comparison->count++] = (struct compare_device){
        .paired_by = pair->by,
        .before = in_before ? &report_device(olds, pair->before)->info : NULL,
        .after = in_after ? &report_device(news, pair->after)->info : NULL,
        .progress = {.level = level, .before = before, .after = after},
    };
}

static void compare_device(struct comparison *comparison, const struct device_pair *pair)
{
    struct seen_device old = {.count = 0}, new = {.count = 0};

    GROW(comparison->devices, comparison->count);
    struct compare_device *device = &comparison->devices[comparison->count++];
    const struct report *olds = &comparison->before, *news = &comparison->after;
    const bool in_before = pair->before < report_device_count(olds), in_after = pair->after < report_device_count(news);

    *device = (struct compare_device){.paired_by = pair->by};
    if (in_before)
        device->before = &report_device(olds, pair->before)->info;
    if (in_after)
        device->after = &report_device(news, pair->after)->info;
    device->whole = in_after && is_whole(news, pair->after);
    if (in_before)
        seen_read(&old, olds, pair->before);
    if (in_after)
        seen_read(&new, news, pair->after);
    compare_points(device, &old, &new);
    seen_fini(&old);
    seen_fini(&new);
}

/* Points also of a run of limits, which may be merged of both. */
static int read_run(struct report *report, struct store *store, struct error *error)
{
    if (report_read(report, store, error) != 0)
        return -1;
    return report->kind == REPORT_LIMITS ? run_report_update(&report->run, store, error) : 0;
}

/* Limits and scenarios have nothing to compare, unless a file was merged of both. */
static int check_kinds(const struct report *before, const struct report *after, struct error *error)
{
    const struct report *limits = before->kind == REPORT_LIMITS ? before : after;
    const struct report *points = limits == before ? after : before;

    if (before->kind == after->kind || report_has_command(limits, "run") || report_has_command(points, "limits"))
        return 0;
    return error_set(error, STATUS_USAGE, "'%s' is a run of limits, but '%s' is of scenarios", limits->path,
                     points->path);
}

int compare_runs(struct store *before, struct store *after, const struct device_pairs *pairs,
                 struct comparison *comparison, struct error *error)
{
    int result = 0;

    *comparison = (struct comparison){.count = 0};
    if (read_run(&comparison->before, before, error) != 0 || read_run(&comparison->after, after, error) != 0)
        return -1;
    if (check_kinds(&comparison->before, &comparison->after, error) != 0)
        return -1;
    comparison->of_tests = comparison->before.kind == REPORT_PROGRESS;
    for (size_t i = 0; i < pairs->count; ++i)
        for (enum block_level level = 0; level < LEVEL_COUNT; ++level)
            if (comparison->of_tests)
                compare_level(comparison, &pairs->pairs[i], level);
            else if (level == LEVEL_GROUP)
                compare_device(comparison, &pairs->pairs[i]);
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
        for (size_t j = 0; j < device->line_count; ++j)
            free(device->lines[j].name);
        free(device->lines);
        free(device->limits);
        free(device->causes);
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

bool comparison_is_void(const struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->count; ++i) {
        const struct compare_device *device = &comparison->devices[i];
        const struct compare_progress_device *progress = &device->progress;
        if (device->line_count + progress->same + progress->test_count + progress->undecided > 0)
            return false;
    }
    return true;
}

bool comparison_is_complete(const struct comparison *comparison)
{
    return report_is_complete(&comparison->before) && report_is_complete(&comparison->after);
}

NAMING_DEFINE(change, enum change, CHANGE_COUNT, "regression", "fix", "flaky", "other", "new", "gone");
