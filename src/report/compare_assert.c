/* A comparison as what the second run was to show: that nothing is worse. */
#include "base/alloc.h"
#include "core/text.h"
#include "report/compare.h"
#include "report/extent.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct rows {
    struct store_asserted *all;
    size_t count;
};

static struct store_asserted *add_row(struct rows *rows, int64_t device, const char *name, bool failed)
{
    GROW(rows->all, rows->count);
    struct store_asserted *row = &rows->all[rows->count++];
    *row = (struct store_asserted){.device = device, .kind = "against", .decided = true, .failed = failed};
    snprintf(row->name, sizeof row->name, "%s", name);
    return row;
}

static void say_point(const struct compare_line *line, const struct compare_point *point, struct store_asserted *row)
{
    char before[96], after[96];

    if (point->after == 0) {
        text_list(row->said, sizeof row->said, "; ", "measured before, and not now");
        return;
    }
    naming_print_set(point->naming, point->before, " or ", before, sizeof before);
    naming_print_set(point->naming, point->after, " or ", after, sizeof after);
    if (strcmp(point->id, line->name) == 0)
        text_list(row->said, sizeof row->said, "; ", "%s -> %s", before, after);
    else
        text_list(row->said, sizeof row->said, "; ", "%zu worse: %.120s: %s -> %s", line->worse, point->id, before,
                  after);
}

static void add_line(struct rows *rows, int64_t id, const struct compare_device *device,
                     const struct compare_line *line)
{
    const bool fell = line->after < line->before;
    struct store_asserted *row = add_row(rows, id, line->name, line->worse > 0 || fell);

    if (fell && line->after == 0)
        text_list(row->said, sizeof row->said, "; ", "the limit was %" PRIu32 " and is not measured now", line->before);
    else if (line->after != line->before)
        text_list(row->said, sizeof row->said, "; ", "the limit %s from %" PRIu32 " to %" PRIu32,
                  fell ? "fell" : "rose", line->before, line->after);
    if (line->worse > 0)
        say_point(line, &device->points[line->first], row);
    if (row->said[0] == '\0')
        text_append(row->said, sizeof row->said, "no worse than before");
}

static void add_models(struct rows *rows, int64_t id, const struct compare_progress_device *device)
{
    const bool of_groups = device->level == LEVEL_GROUP;
    char name[64];

    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model)
        for (enum litmus_fairness fairness = 0; fairness < LITMUS_FAIRNESSES; ++fairness) {
            const bool broken = compare_model(device, model, fairness) == MODEL_BROKEN;
            if (device->seen_before[model][fairness].launches == 0 || device->seen_after[model][fairness].launches == 0)
                continue;
            snprintf(name, sizeof name, "%s%s%s:%s", of_groups ? "" : level_name(device->level), of_groups ? "" : ":",
                     litmus_model_name(model), litmus_fairness_name(fairness));
            struct store_asserted *row = add_row(rows, id, name, broken);
            text_append(row->said, sizeof row->said, broken ? "newly broken" : "not newly broken");
        }
    if (!of_groups)
        return;
    struct store_asserted *row = add_row(rows, id, "limit", compare_limit_is_lower(device));
    text_append(row->said, sizeof row->said,
                row->failed ? "fewer waiting groups keep later groups from starting" : "no lower than before");
}

static int64_t row_of(const struct comparison *comparison, const struct device_info *info)
{
    for (size_t i = 0; i < report_device_count(&comparison->after); ++i)
        if (&report_device(&comparison->after, i)->info == info)
            return report_device(&comparison->after, i)->id;
    return 0;
}

/* What was compared with less than there was. */
static void add_incomplete(struct rows *rows, const struct comparison *comparison)
{
    const struct store_device *device = report_device(&comparison->after, 0);

    if (device == NULL || report_is_complete(&comparison->before))
        return;
    struct store_asserted *row = add_row(rows, device->id, "all of the first run", true);
    text_append(row->said, sizeof row->said, "it did not end or lacks a shard: not all was compared");
}

void comparison_assert(const struct comparison *comparison, struct store_asserted **all, size_t *count)
{
    struct rows rows = {.count = 0};

    for (size_t i = 0; i < comparison->count; ++i) {
        const struct compare_device *device = &comparison->devices[i];
        if (device->before == NULL || device->after == NULL)
            continue;
        const int64_t id = row_of(comparison, device->after);
        for (size_t j = 0; j < device->line_count; ++j)
            add_line(&rows, id, device, &device->lines[j]);
        if (comparison->of_tests)
            add_models(&rows, id, &device->progress);
    }
    add_incomplete(&rows, comparison);
    *all = rows.all;
    *count = rows.count;
}
