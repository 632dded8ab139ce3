/* Programs of others that were watched, as each format shows them. */
#include "core/text.h"
#include "format/kind.h"

#include <string.h>

/* --- text --- */

static void print_row(FILE *out, const struct text_style *style, const struct watches_row *row)
{
    const struct sighting *seen = &row->seen;
    const char *color = watches_is_alarm(seen->verdict) ? style->colors->surprise : "";
    char groups[24] = "-", fit[24] = "-", launches[24] = "-";

    if (seen->groups > 0)
        snprintf(groups, sizeof groups, "%" PRIu64, seen->groups);
    if (seen->fit > 0)
        snprintf(fit, sizeof fit, "%" PRIu64, seen->fit);
    if (seen->door[0] != '\0')
        snprintf(launches, sizeof launches, "%" PRIu64, seen->launches);
    color_begin(out, color);
    fprintf(out, "%-9s", watch_verdict_name(seen->verdict));
    color_end(out, color);
    fprintf(out, " %8s %8s %8s  ", groups, fit, launches);
    escape_each(escape_text, out, "", seen->program, seen->kernel[0] != '\0' ? ", kernel " : "", seen->kernel, "\n",
                NULL);
}

static void write_message(FILE *out, const struct report_case *found)
{
    const struct sighting *seen = &found->watched->seen;

    if (found->watched->incomplete) {
        fputs("it was begun and did not end", out);
        return;
    }
    if (seen->verdict == WATCH_NOTHING && seen->door[0] != '\0')
        fprintf(out, "%s%" PRIu64 " launch%s seen", seen->why, seen->launches,
                seen->launches == 1 ? " was" : "es were");
    else
        fputs(seen->why, out);
    if (seen->kernel[0] != '\0')
        fprintf(out, "; kernel %s%s%s", seen->kernel, seen->line[0] != '\0' ? " at " : "", seen->line);
    if (seen->sizes[0] != '\0')
        fprintf(out, ", %s", seen->sizes);
    if (seen->arguments[0] != '\0')
        fprintf(out, ", arguments %s", seen->arguments);
    if (seen->fit > 0)
        fprintf(out, "; %" PRIu64 " groups were launched, and %" PRIu64 " fit at once", seen->groups, seen->fit);
    if (seen->call[0] != '\0')
        fprintf(out, "; the program is in %s", seen->call);
}

static void print_message(FILE *out, const struct watches_row *row)
{
    const struct report_case found = {.watched = row, .message = write_message};
    struct text_lines lines;

    write_message(text_lines_begin(&lines), &found);
    text_lines_end(&lines, out, "          ", "          ");
}

static void watch_text(FILE *out, const struct report *report, size_t number, const struct text_style *style)
{
    const struct watches_device *device = &report->watches.devices[number];

    escape_each(escape_text, out, "", DEVICE_LABEL_OF(&device->stored.info), "\n\n", NULL);
    fprintf(out, "%-9s %8s %8s %8s  %s\n", "verdict", "groups", "fit", "launches", "program");
    for (size_t i = 0; i < device->count; ++i) {
        print_row(out, style, &device->rows[i]);
        print_message(out, &device->rows[i]);
    }
    fprintf(out, "\n%zu sighting%s:", device->count, text_s(device->count));
    for (int i = WATCH_VERDICTS - 1; i >= 0; --i)
        fprintf(out, " %zu %s%s", device->of[i], watch_verdict_name((enum watch_verdict)i), i > 0 ? "," : "\n");
}

/* --- JSON --- */

static void write_items(struct json_writer *json, const struct sighting *seen)
{
    json_writer_open(json, "waits", '[');
    for (size_t i = 0; i < seen->count; ++i) {
        json_writer_open(json, NULL, '{');
        json_writer_text(json, "kind", sighting_kind_name(seen->items[i].kind));
        json_writer_text(json, "name", seen->items[i].name);
        json_writer_text(json, "says", seen->items[i].says);
        json_writer_text(json, "waits_for", seen->items[i].waits);
        json_writer_close(json, '}');
    }
    json_writer_close(json, ']');
}

static void write_json(struct rows *rows, const struct report *report, size_t number)
{
    const struct watches_device *device = &report->watches.devices[number];

    for (size_t i = 0; i < device->count; ++i) {
        const struct watches_row *row = &device->rows[i];
        const struct sighting *seen = &row->seen;
        rows_open(rows, "sighting");
        json_writer_text(&rows->json, "id", row->name);
        json_writer_integer(&rows->json, "process", seen->process);
        json_writer_text(&rows->json, "program", seen->program);
        json_writer_text(&rows->json, "door", seen->door);
        json_writer_text(&rows->json, "verdict", watch_verdict_name(seen->verdict));
        json_writer_bool(&rows->json, "alarm", watches_is_alarm(seen->verdict));
        json_writer_bool(&rows->json, "incomplete", row->incomplete);
        json_writer_text(&rows->json, "why", seen->why);
        json_writer_text(&rows->json, "call", seen->call);
        json_writer_text(&rows->json, "kernel", seen->kernel);
        json_writer_text(&rows->json, "line", seen->line);
        json_writer_text(&rows->json, "sizes", seen->sizes);
        json_writer_text(&rows->json, "arguments", seen->arguments);
        json_writer_known(&rows->json, "groups", seen->groups > 0, seen->groups);
        json_writer_known(&rows->json, "fit", seen->fit > 0, seen->fit);
        json_writer_known(&rows->json, "launches", seen->door[0] != '\0', seen->launches);
        json_writer_integer(&rows->json, "for_ns", seen->for_ns);
        write_items(&rows->json, seen);
        rows_close(rows);
    }
}

/* --- the others --- */

static void write_csv(struct csv *csv, const struct report_case *found)
{
    const struct sighting *seen = &found->watched->seen;

    csv_text(csv, seen->program);
    csv_number(csv, seen->process);
    csv_text(csv, watch_verdict_name(seen->verdict));
    csv_text(csv, seen->call);
    csv_text(csv, seen->kernel);
    csv_text(csv, seen->line);
    csv_count(csv, seen->groups);
    csv_count(csv, seen->fit);
    csv_known(csv, seen->door[0] != '\0', seen->launches);
    csv_count(csv, seen->for_ns);
}

static void write_markdown(FILE *out, const struct report *report, size_t number)
{
    const struct watches_device *device = &report->watches.devices[number];

    fputs("| program | verdict | found |\n|---|---|---|\n", out);
    for (size_t i = 0; i < device->count; ++i) {
        const struct watches_row *row = &device->rows[i];
        const struct report_case found = {.watched = row, .message = write_message};
        escape_each(escape_markdown, out, "| ", row->seen.program, NULL);
        fprintf(out, " | %s | ", watch_verdict_name(row->seen.verdict));
        report_case_write(out, &found, escape_markdown);
        fputs(" |\n", out);
    }
    fputc('\n', out);
}

static void write_prometheus(FILE *out, const struct report *report)
{
    prometheus_head(out, "gridlock_sightings", "gauge", "What was told of programs that were watched, by verdict.");
    for (size_t i = 0; i < report->watches.count; ++i)
        for (int j = 0; j < WATCH_VERDICTS; ++j) {
            prometheus_begin(out, report, i, "gridlock_sightings");
            prometheus_label(out, ",verdict", watch_verdict_name((enum watch_verdict)j));
            prometheus_end(out, report->watches.devices[i].of[j]);
        }
}

/* What only takes long is no failure; a program without a launch shows nothing. */
static enum report_result result_of(const struct watches_row *row)
{
    if (row->incomplete)
        return RESULT_UNKNOWN;
    if (watches_is_alarm(row->seen.verdict))
        return RESULT_FAIL;
    return row->seen.verdict == WATCH_NOTHING && row->seen.launches == 0 ? RESULT_SKIP : RESULT_PASS;
}

static void each_case(const struct report *report, size_t number, case_taker *take, void *context)
{
    const struct watches_device *device = &report->watches.devices[number];

    for (size_t i = 0; i < device->count; ++i) {
        const struct watches_row *row = &device->rows[i];
        struct report_case found = {
            .suite = "watch",
            .result = result_of(row),
            .type = watch_verdict_name(row->seen.verdict),
            .told = true,
            .duration_ns = row->seen.for_ns,
            .watched = row,
            .message = write_message,
        };
        snprintf(found.name, sizeof found.name, "%s", row->name);
        take(context, &found);
    }
}

const struct report_parts watch_parts = {
    .text = watch_text,
    .json_list = "sightings",
    .json = write_json,
    .csv_columns = "program,process,verdict,call,kernel,line,groups,fit,launches,for_ns",
    .csv = write_csv,
    .markdown = write_markdown,
    .prometheus = write_prometheus,
    .each_case = each_case,
};
