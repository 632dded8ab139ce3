#include "format/kind.h"

static void write_row(struct json_writer *json, const struct audit_row *row)
{
    const struct promise *promise = row->promise;
    const struct finding *finding = &row->finding;

    json_writer_text(json, "name", promise->name);
    json_writer_text(json, "outcome", keeping_name(row->keeping));
    json_writer_text(json, "made", promise->made);
    json_writer_text(json, "says", promise->says);
    json_writer_text(json, "unit", promise->unit);
    json_writer_known(json, "promised", finding->offered && !promise->silent, finding->promised);
    json_writer_known(json, "measured", !finding->undecided, finding->measured);
    json_writer_integer(json, "tries", finding->tries);
    json_writer_integer(json, "fails", finding->fails);
    json_writer_text(json, "finding", finding->text);
    json_writer_text(json, "note", row->note);
    json_writer_text(json, "quoted", row->quoted);
    json_writer_text(json, "known", row->known_failure ? "failure" : row->known_flake ? "flake" : NULL);
    json_writer_bool(json, "incomplete", row->incomplete);
    json_writer_integer(json, "duration_ns", row->duration_ns);
}

void audit_json(struct rows *rows, const struct report *report, size_t number)
{
    const struct audit_device *device = &report->audit.devices[number];

    for (size_t i = 0; i < device->count; ++i) {
        rows_open(rows, "promise");
        write_row(&rows->json, &device->rows[i]);
        rows_close(rows);
    }
}
