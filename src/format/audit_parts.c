/* Audits of devices, as each format shows them. */
#include "format/kind.h"

static void write_members(struct json_writer *json, const struct audit_row *row)
{
    const struct promise *promise = row->promise;
    const struct finding *finding = &row->finding;

    json_writer_text(json, "name", promise->name);
    json_writer_text(json, "outcome", keeping_name(row->keeping));
    json_writer_text(json, "verdict", verdict_name(row->verdict));
    json_writer_text(json, "made", promise->made);
    json_writer_text(json, "says", promise->says);
    json_writer_text(json, "unit", promise->unit);
    json_writer_known(json, "promised", finding->offered && !promise->silent, finding->promised);
    json_writer_known(json, "measured", audit_row_is_measured(row), finding->measured);
    json_writer_integer(json, "tries", finding->tries);
    json_writer_integer(json, "fails", finding->fails);
    json_writer_text(json, "finding", finding->text);
    json_writer_text(json, "note", row->note);
    json_writer_set(json, "left_out", &optional_naming, row->left_out);
    json_writer_text(json, "quoted", row->quoted);
    json_writer_text(json, "known", known_as_name(row->known));
    json_writer_bool(json, "incomplete", row->incomplete);
    json_writer_integer(json, "duration_ns", row->duration_ns);
}

static void write_json(struct rows *rows, const struct report *report, size_t number)
{
    const struct audit_device *device = &report->audit.devices[number];

    for (size_t i = 0; i < device->count; ++i) {
        rows_open(rows, "promise");
        write_members(&rows->json, &device->rows[i]);
        rows_close(rows);
    }
}

static void write_csv(struct csv *csv, const struct report_case *found)
{
    const struct audit_row *row = found->promise;
    const bool offered = row->keeping != KEEPING_NOT_OFFERED;
    const bool tried = offered && (row->finding.tries > 0 || row->keeping != KEEPING_UNDECIDED);

    csv_text(csv, row->promise->name);
    csv_text(csv, keeping_name(row->keeping));
    csv_text(csv, row->promise->made);
    csv_known(csv, offered, row->finding.promised);
    csv_known(csv, audit_row_is_measured(row), row->finding.measured);
    csv_text(csv, row->promise->unit);
    csv_known(csv, tried, row->finding.tries);
    csv_known(csv, tried, row->finding.fails);
    csv_text(csv, row->finding.text);
    csv_text(csv, known_as_name(row->known));
    csv_count(csv, row->duration_ns);
}

static void write_message(FILE *out, const struct report_case *found)
{
    audit_text_finding(out, found->promise);
}

static void write_markdown(FILE *out, const struct report *report, size_t number)
{
    const struct audit_device *device = &report->audit.devices[number];

    fputs("| promise | outcome | made by | found |\n|---|---|---|---|\n", out);
    for (size_t i = 0; i < device->count; ++i) {
        const struct audit_row *row = &device->rows[i];
        const struct report_case found = {.promise = row, .message = write_message};
        escape_each(escape_markdown, out, "| ", row->promise->name, " | ", keeping_name(row->keeping), " | ",
                    row->promise->made, " | ", NULL);
        report_case_write(out, &found, escape_markdown);
        fputs(" |\n", out);
    }
    fputc('\n', out);
}

static void write_prometheus(FILE *out, const struct report *report)
{
    prometheus_head(out, "gridlock_promises", "gauge", "Promises of the driver, by what became of them.");
    for (size_t i = 0; i < report->audit.count; ++i)
        for (int j = 0; j < KEEPING_COUNT; ++j) {
            prometheus_begin(out, report, i, "gridlock_promises");
            prometheus_label(out, ",outcome", keeping_name((enum keeping)j));
            prometheus_end(out, report->audit.devices[i].kept[j]);
        }
}

static enum report_result result_of(const struct audit_row *row)
{
    switch (row->keeping) {
    case KEEPING_BROKEN:
        return audit_row_is_known(row) ? RESULT_KNOWN : RESULT_FAIL;
    case KEEPING_UNDECIDED:
        return row->incomplete ? RESULT_UNKNOWN : RESULT_SKIP;
    case KEEPING_NOT_OFFERED:
        return RESULT_SKIP;
    case KEEPING_KEPT:
    case KEEPING_EXCEEDED:
    case KEEPING_SILENT:
    case KEEPING_COUNT:
        break;
    }
    return RESULT_PASS;
}

static void each_case(const struct report *report, size_t number, case_taker *take, void *context)
{
    const struct audit_device *device = &report->audit.devices[number];

    for (size_t i = 0; i < device->count; ++i) {
        const struct audit_row *row = &device->rows[i];
        struct report_case found = {
            .suite = "audit",
            .result = result_of(row),
            .type = keeping_name(row->keeping),
            .told = row->keeping != KEEPING_KEPT || row->known == KNOWN_AS_FAILURE || row->quoted[0] != '\0',
            .known_failure = row->known == KNOWN_AS_FAILURE,
            .measured = audit_row_is_measured(row) && row->promise->unit[0] != '\0' ? row->finding.measured : 0,
            .unit = row->promise->unit,
            .duration_ns = row->duration_ns,
            .promise = row,
            .message = write_message,
        };
        snprintf(found.name, sizeof found.name, "%s", row->promise->name);
        take(context, &found);
    }
}

const struct report_parts audit_parts = {
    .text = audit_text,
    .json_list = "promises",
    .json = write_json,
    .csv_columns = "promise,outcome,made,promised,measured,unit,tries,fails,finding,known,duration_ns",
    .csv = write_csv,
    .markdown = write_markdown,
    .prometheus = write_prometheus,
    .each_case = each_case,
};
