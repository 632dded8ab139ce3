#include "format/compare.h"
#include "format/escape.h"
#include "format/text.h"
#include "report/extent.h"

#include <ctype.h>
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

/* --- points --- */

/* Of what is worse, and of what does as expected again. */
static const char *color_of(const struct colors *colors, enum change change)
{
    return change == CHANGE_REGRESSION ? colors->surprise : change == CHANGE_FIX ? colors->expected : "";
}

/* Where that is the same, the run's own prediction is not. */
static void print_change(FILE *out, const struct compare_point *point)
{
    char before[160], after[160];

    fprintf(out, "%s -> %s", verdicts(point, point->before, before, sizeof before),
            verdicts(point, point->after, after, sizeof after));
    if (point->before == point->after)
        fprintf(out, ", now %s", point->surprise ? "a surprise" : "as expected");
}

enum { POINTS_LISTED = 8 }; /* of those that are in one run alone */

/* Those that follow from no limit. */
static void print_points(FILE *out, const struct colors *colors, const struct compare_device *device,
                         enum change change, bool publication)
{
    const size_t most = change == CHANGE_NEW || change == CHANGE_GONE ? POINTS_LISTED : SIZE_MAX;
    size_t listed = 0;

    for (size_t i = 0; i < device->point_count; ++i) {
        const struct compare_point *point = &device->points[i];
        if (point->change != change || point->publication != publication || point->cause != COMPARE_NO_CAUSE)
            continue;
        if (listed++ == 0) {
            fputc('\n', out);
            color_print(out, color_of(colors, change), "%s%s", publication ? "Publication: " : "", headings[change]);
            fputc('\n', out);
        }
        if (listed > most)
            continue;
        escape_each(escape_text, out, "  ", point->id, ": ", NULL);
        print_change(out, point);
        fputc('\n', out);
    }
    if (listed > most)
        fprintf(out, "  and %zu more\n", listed - most);
}

enum { LIMITS_NAMED = 8 }; /* of those that moved in the same way */

/* "a, b and 3 more" */
static void name_limits(FILE *out, const struct compare_device *device, size_t cause, escaper *escape)
{
    size_t named = 0;

    for (size_t i = 0; i < device->limit_count && named < LIMITS_NAMED; ++i)
        if (device->limits[i].cause == cause) {
            escape_each(escape, out, named > 0 ? ", " : "", device->limits[i].line, NULL);
            ++named;
        }
    if (device->causes[cause].limits > named)
        fprintf(out, " and %zu more", device->causes[cause].limits - named);
}

/* "The limit fell from 4 to 2" */
static void print_move(FILE *out, const struct colors *colors, const struct compare_cause *cause)
{
    if (cause->after == 0) {
        color_print(out, colors->surprise, "The limit was %" PRIu32 " and is not measured now", cause->before);
    } else if (cause->before == 0) {
        fprintf(out, "The limit was not measured and is %" PRIu32 " now", cause->after);
    } else {
        const bool fell = cause->after < cause->before;
        color_print(out, fell ? colors->surprise : colors->expected, "The limit %s from %" PRIu32 " to %" PRIu32,
                    fell ? "fell" : "rose", cause->before, cause->after);
    }
}

static void print_cause(FILE *out, const struct colors *colors, const struct compare_device *device, size_t cause)
{
    const size_t points = device->causes[cause].points;
    struct text_lines lines;

    fputc('\n', out);
    print_move(out, colors, &device->causes[cause]);
    if (points > 0)
        fprintf(out, ": %zu point%s", points, points == 1 ? " follows" : "s follow");
    fputc('\n', out);
    FILE *line = text_lines_begin(&lines);
    name_limits(line, device, cause, escape_text);
    text_lines_end(&lines, out, "  ", "  ");
}

/* Those that fell come first. */
static void print_causes(FILE *out, const struct colors *colors, const struct compare_device *device)
{
    for (int fell = 1; fell >= 0; --fell)
        for (size_t i = 0; i < device->cause_count; ++i)
            if ((device->causes[i].after < device->causes[i].before) == (fell != 0))
                print_cause(out, colors, device, i);
}

/* "Points: 3 worse, ..."; what follows from limits is among them. */
static void print_head(FILE *out, const struct compare_device *device, const char *units)
{
    const struct compare_counts counts = compare_count(device);
    struct text_lines lines;
    size_t fell = 0;

    for (size_t i = 0; i < device->limit_count; ++i)
        fell += device->limits[i].after < device->limits[i].before;
    FILE *line = text_lines_begin(&lines);
    fprintf(line, "%c%s: %zu worse, %zu better, %zu changed, %zu same, %zu missing, %zu new", toupper(units[0]),
            units + 1, counts.worse, counts.better, counts.changed, counts.same, counts.missing, counts.new);
    if (device->limit_count > 0)
        fprintf(line, "; limits: %zu fell, %zu rose", fell, device->limit_count - fell);
    if (counts.follow > 0)
        fprintf(line, ", which explains %zu of these", counts.follow);
    text_lines_end(&lines, out, "", "  ");
}

static void print_all_points(FILE *out, const struct colors *colors, const struct compare_device *device,
                             const char *units)
{
    print_head(out, device, units);
    for (int publication = 1; publication >= 0; --publication)
        for (int change = 0; change < CHANGE_COUNT; ++change)
            print_points(out, colors, device, (enum change)change, publication != 0);
    print_causes(out, colors, device);
}

static void mark_causes(FILE *out, const struct compare_device *device)
{
    for (size_t i = 0; i < device->cause_count; ++i) {
        fputs(i == 0 ? "\n| limits | points that follow | of |\n|---|---:|---|\n| " : "| ", out);
        print_move(out, &colors_none, &device->causes[i]);
        fprintf(out, " | %zu | ", device->causes[i].points);
        name_limits(out, device, i, escape_markdown);
        fputs(" |\n", out);
    }
}

static void mark_points(FILE *out, const struct compare_device *device, const char *units)
{
    bool headed = false;

    print_head(out, device, units);
    for (int change = 0; change < CHANGE_COUNT; ++change)
        for (size_t i = 0; i < device->point_count; ++i) {
            const struct compare_point *point = &device->points[i];
            if (point->change != (enum change)change || point->cause != COMPARE_NO_CAUSE)
                continue;
            fprintf(out, "%s| %s | ", headed ? "" : "\n| change | point | seen |\n|---|---|---|\n",
                    change_name(point->change));
            headed = true;
            escape_markdown(out, point->id);
            fputs(" | ", out);
            print_change(out, point);
            fputs(" |\n", out);
        }
    mark_causes(out, device);
}

/* --- devices --- */

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
    const bool in_both = before != NULL && after != NULL;
    struct text_lines lines;

    FILE *line = text_lines_begin(&lines);
    fprintf(line, "%s (%s): ", DEVICE_LABEL_OF(device), device->platform);
    if (in_both)
        fprintf(line, "driver %s -> %s", before->driver_version, after->driver_version);
    else
        fprintf(line, "only in the %s run", before != NULL ? "first" : "second");
    text_lines_end(&lines, out, "", "  ");
    if (in_both && pairings[by] != NULL)
        escape_each(escape_text, out, "In the first run: ", DEVICE_LABEL_OF(before), "\n  (", pairings[by], ")\n",
                    NULL);
    return in_both;
}

/* The points that one run lacks are told as new or gone, and may be regressions. */
static void print_incomplete(FILE *out, const struct comparison *comparison, escaper *escape)
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
            compare_text_tests(out, colors, &device->progress);
        else
            print_all_points(out, colors, device, report_units(&comparison->after));
    }
    print_incomplete(out, comparison, escape_text);
}

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

void compare_markdown(FILE *out, const struct comparison *comparison)
{
    fprintf(out, "# Comparison of two runs%s\n", comparison->of_tests ? " of litmus tests" : "");
    for (size_t i = 0; i < comparison->count; ++i) {
        const struct compare_device *device = &comparison->devices[i];
        fputc('\n', out);
        if (!mark_driver(out, device->before, device->after, device->paired_by))
            continue;
        if (comparison->of_tests)
            compare_markdown_tests(out, &device->progress);
        else
            mark_points(out, device, report_units(&comparison->after));
    }
    print_incomplete(out, comparison, escape_markdown);
}
