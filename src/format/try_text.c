/* Kernels that were tried, as text: for each number of groups what its launch came to. */
#include "core/text.h"
#include "format/escape.h"
#include "format/kind.h"

#include <string.h>

static const char margin[] = "                    "; /* as wide as what stands before a note */

static const char *word_of(const struct run_point *point)
{
    switch (point->batches.verdict) {
    case VERDICT_PASS:
        return "ended";
    case VERDICT_INCONCLUSIVE:
        return "long";
    default:
        return verdict_name(point->batches.verdict);
    }
}

static void print_point(FILE *out, const struct run_point *point)
{
    const char *word = word_of(point);
    char head[64];

    snprintf(head, sizeof head, "%6" PRIu32 "  %-11s%s", point->groups, word, strlen(word) < 12 ? " " : ": ");
    if (point->note[0] != '\0')
        text_clean_lines(out, head, margin, point->note);
    else if (run_point_passed(point))
        fprintf(out, "%s%12.3f ms\n", head, (double)point->fastest_ns / 1e6);
    else
        fprintf(out, "%s\n", head);
}

/* Its name is FILE:KERNEL. */
static bool is_file(const struct run_scenario *scenario)
{
    const size_t length = strlen(scenario->name);
    return length > 0 && scenario->name[length - 1] == ':';
}

/* A file of which no kernel is known, since it does not build: nothing was launched. */
static size_t print_file(FILE *out, const struct run_scenario *scenario, size_t from)
{
    const struct run_point *point = &scenario->points[from];
    struct text_lines lines;

    fprintf(text_lines_begin(&lines), "%s %s%s%s", scenario->name, word_of(point), point->note[0] != '\0' ? ": " : "",
            point->note);
    text_lines_end(&lines, out, "", "  ");
    while (from < scenario->count && strcmp(scenario->points[from].line, point->line) == 0)
        ++from;
    return from;
}

/* Those of one kernel with groups of one size; returns the index behind them. */
static size_t print_line(FILE *out, const struct run_scenario *scenario, size_t from)
{
    const struct run_point *first = &scenario->points[from];
    const char *made_up = "";
    struct text_lines lines;
    uint32_t safe = 0, least = UINT32_MAX;
    size_t i = from, ended = 0, cut = 0;

    FILE *line = text_lines_begin(&lines);
    fprintf(line, "%s, work-groups of %" PRIu32 ":", scenario->name, first->local_size);
    text_lines_end(&lines, out, "", "  ");
    fputs("groups\n", out);
    for (; i < scenario->count && strcmp(scenario->points[i].line, first->line) == 0; ++i) {
        const struct run_point *point = &scenario->points[i];
        print_point(out, point);
        ended += run_point_passed(point);
        cut += point->batches.verdict == VERDICT_CUT;
        if (!run_point_passed(point) && point->groups < least)
            least = point->groups;
        made_up = point->made_up[0] != '\0' ? point->made_up : made_up;
    }
    for (size_t j = from; j < i; ++j)
        if (scenario->points[j].groups < least && scenario->points[j].groups > safe)
            safe = scenario->points[j].groups;
    if (cut > 0)
        fprintf(out, "Whether it ends cannot be told on this device.\n");
    else if (ended == i - from)
        fprintf(out, "All launches ended; that proves nothing of the next one.\n");
    else if (safe > 0)
        fprintf(out, "It ended with up to %" PRIu32 " group%s.\n", safe, text_s(safe));
    else
        fputs(ended > 0 ? "It did not end with the fewest groups.\n" : "No launch ended.\n", out);
    if (made_up[0] != '\0') {
        line = text_lines_begin(&lines);
        fprintf(line, "Arguments that were made up: %s", made_up);
        text_lines_end(&lines, out, "", "  ");
    }
    return i;
}

void try_text(FILE *out, const struct report *report, size_t number, const struct text_style *style)
{
    const struct run_device *device = &report->run.devices[number];

    (void)style;
    text_device_lines(out, "", "  ", &device->stored.info);
    fputc('\n', out);
    for (size_t i = 0; i < device->count; ++i)
        for (size_t at = 0; at < device->scenarios[i].count;) {
            fputc('\n', out);
            at = (is_file(&device->scenarios[i]) ? print_file : print_line)(out, &device->scenarios[i], at);
        }
}
