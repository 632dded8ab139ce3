#include "format/compare.h"
#include "format/escape.h"
#include "format/text.h"
#include "report/extent.h"

#include <inttypes.h>

static const char *const headings[CHANGE_COUNT] = {
    [CHANGE_REGRESSION] = "Regressions", [CHANGE_FIX] = "Fixes", [CHANGE_FLAKY] = "Verdicts that now vary",
    [CHANGE_OTHER] = "Other verdicts",   [CHANGE_NEW] = "New",   [CHANGE_GONE] = "Gone",
};

static const char *verdicts(const struct compare_point *point, verdict_set set, char *text, size_t size)
{
    naming_print_set(point->naming, set, " or ", text, size);
    return set != 0 ? text : "-";
}

static size_t count_of(const struct compare_device *device, enum change change, bool publication)
{
    size_t count = 0;
    for (size_t i = 0; i < device->point_count; ++i)
        count += device->points[i].change == change && device->points[i].publication == publication;
    return count;
}

/* --- text --- */

/* Of what is worse, and of what does as expected again. */
static const char *color_of(const struct colors *colors, enum change change)
{
    return change == CHANGE_REGRESSION ? colors->surprise : change == CHANGE_FIX ? colors->expected : "";
}

static void print_points(FILE *out, const struct colors *colors, const struct compare_device *device,
                         enum change change, bool publication)
{
    char before[160], after[160];

    if (count_of(device, change, publication) == 0)
        return;
    fputc('\n', out);
    color_print(out, color_of(colors, change), "%s%s", publication ? "Publication: " : "", headings[change]);
    fputc('\n', out);
    for (size_t i = 0; i < device->point_count; ++i) {
        const struct compare_point *point = &device->points[i];
        if (point->change != change || point->publication != publication)
            continue;
        escape_each(escape_text, out, "  ", point->id, NULL);
        fprintf(out, ": %s -> %s\n", verdicts(point, point->before, before, sizeof before),
                verdicts(point, point->after, after, sizeof after));
    }
}

static void print_limits(FILE *out, const struct colors *colors, const struct compare_device *device)
{
    if (device->limit_count > 0)
        fputs("\nResident limits that moved\n", out);
    for (size_t i = 0; i < device->limit_count; ++i) {
        const char *color = device->limits[i].after < device->limits[i].before ? colors->surprise : "";
        escape_each(escape_text, out, "  ", device->limits[i].line, NULL);
        fprintf(out, ": %" PRIu32 " -> ", device->limits[i].before);
        color_print(out, color, "%" PRIu32, device->limits[i].after);
        fputc('\n', out);
    }
}

/* How two devices were paired of which something is not the same; NULL: all is. */
static const char *const pairings[] = {
    [PAIRING_MATCH] = "paired by --match",
    [PAIRING_UUID] = "paired by UUID",
    [PAIRING_PCI] = "paired by PCI address",
    [PAIRING_NAME] = "paired by name",
    [PAIRING_LEFT] = "paired because no other is left; --match OLD=NEW pairs others",
    [PAIRING_NONE] = NULL,
};

static bool print_driver(FILE *out, const struct device_info *before, const struct device_info *after, enum pairing by)
{
    const struct device_info *device = after != NULL ? after : before;
    struct text_lines lines;

    FILE *line = text_lines_begin(&lines, out);
    fprintf(line, "%s (%s): ", DEVICE_LABEL_OF(device), device->platform);
    if (before == NULL || after == NULL)
        fprintf(line, "only in the %s run", before != NULL ? "first" : "second");
    else
        fprintf(line, "driver %s -> %s", before->driver_version, after->driver_version);
    text_lines_end(&lines, out, "", "  ");
    if (before == NULL || after == NULL)
        return false;
    if (pairings[by] != NULL)
        escape_each(escape_text, out, "In the first run: ", DEVICE_LABEL_OF(before), "\n  (", pairings[by], ")\n",
                    NULL);
    return true;
}

static void print_all_points(FILE *out, const struct colors *colors, const struct compare_device *device)
{
    fprintf(out, "Points: %zu unchanged, %zu changed; limits: %zu moved\n", device->same, device->point_count,
            device->limit_count);
    print_limits(out, colors, device);
    for (int publication = 1; publication >= 0; --publication)
        for (int change = 0; change < CHANGE_COUNT; ++change)
            print_points(out, colors, device, (enum change)change, publication != 0);
}

/* The points that one run lacks are told as new or gone, and may be regressions. */
static void print_incomplete(FILE *out, const struct comparison *comparison,
                             void (*escape)(FILE *out, const char *text))
{
    const struct report *const reports[] = {&comparison->before, &comparison->after};

    for (int i = 0; i < 2; ++i)
        if (!report_is_complete(reports[i]))
            escape_each(escape, out, i == 0 ? "\nThe first run, " : "\nThe second run, ", reports[i]->path,
                        ", did not end or lacks a shard: not all was compared.\n", NULL);
}

void compare_text(FILE *out, const struct colors *colors, const struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->count; ++i) {
        const struct compare_device *device = &comparison->devices[i];
        if (i > 0)
            fputc('\n', out);
        if (!print_driver(out, device->before, device->after, device->paired_by))
            continue;
        if (comparison->of_tests)
            compare_progress_text(out, colors, &device->progress);
        else
            print_all_points(out, colors, device);
    }
    print_incomplete(out, comparison, escape_text);
}

/* --- Markdown --- */

static bool mark_driver(FILE *out, const struct device_info *before, const struct device_info *after, enum pairing by)
{
    escape_each(escape_markdown, out, "## ", DEVICE_LABEL_OF(after != NULL ? after : before), "\n\n", NULL);
    if (before == NULL || after == NULL) {
        fprintf(out, "Only in the %s run.\n", before != NULL ? "first" : "second");
        return false;
    }
    escape_each(escape_markdown, out, "Driver ", before->driver_version, " → ", after->driver_version, ". ", NULL);
    if (pairings[by] != NULL)
        escape_each(escape_markdown, out, "In the first run ", DEVICE_LABEL_OF(before), ", ", pairings[by], ". ", NULL);
    return true;
}

static void mark_points(FILE *out, const struct compare_device *device)
{
    char before[160], after[160];

    fprintf(out, "Points: %zu unchanged, %zu changed.\n", device->same, device->point_count);
    if (device->limit_count > 0)
        fputs("\n| resident limit of | before | after |\n|---|---:|---:|\n", out);
    for (size_t i = 0; i < device->limit_count; ++i) {
        escape_each(escape_markdown, out, "| ", device->limits[i].line, NULL);
        fprintf(out, " | %" PRIu32 " | %" PRIu32 " |\n", device->limits[i].before, device->limits[i].after);
    }
    if (device->point_count > 0)
        fputs("\n| change | point | before | after |\n|---|---|---|---|\n", out);
    for (int change = 0; change < CHANGE_COUNT; ++change)
        for (size_t i = 0; i < device->point_count; ++i) {
            const struct compare_point *point = &device->points[i];
            if (point->change != (enum change)change)
                continue;
            fprintf(out, "| %s | ", change_name(point->change));
            escape_markdown(out, point->id);
            fprintf(out, " | %s | %s |\n", verdicts(point, point->before, before, sizeof before),
                    verdicts(point, point->after, after, sizeof after));
        }
}

void compare_markdown(FILE *out, const struct comparison *comparison)
{
    fprintf(out, "# Comparison of two runs%s\n", comparison->of_tests ? " of litmus tests" : "");
    for (size_t i = 0; i < comparison->count; ++i) {
        const struct compare_device *device = &comparison->devices[i];
        fputc('\n', out);
        if (!mark_driver(out, device->before, device->after, device->paired_by))
            continue;
        if (comparison->of_tests)
            compare_progress_markdown(out, &device->progress);
        else
            mark_points(out, device);
    }
    print_incomplete(out, comparison, escape_markdown);
}
