/*
 * JSON, one document; and JSON Lines: one object a line, with its type; first the runs, then each device, followed by
 * what was found on it.
 */
#include "base/alloc.h"
#include "format/devices.h"
#include "format/format.h"
#include "format/kind.h"

#include <stdlib.h>

static void open_line(struct json_writer *json, const char *type)
{
    json_writer_open(json, NULL, '{');
    json_writer_text(json, "schema_version", JSON_SCHEMA_VERSION);
    json_writer_text(json, "type", type);
}

void rows_open(struct rows *rows, const char *type)
{
    if (!rows->lines) {
        json_writer_open(&rows->json, NULL, '{');
        return;
    }
    open_line(&rows->json, type);
    json_writer_integer(&rows->json, "device", rows->device);
}

void rows_close(struct rows *rows)
{
    if (rows->lines)
        json_writer_end(&rows->json);
    else
        json_writer_close(&rows->json, '}');
}

void rows_open_list(struct rows *rows, const char *name)
{
    if (rows->lines)
        json_writer_end(&rows->json);
    else
        json_writer_open(&rows->json, name, '[');
}

void rows_close_list(struct rows *rows)
{
    if (rows->lines)
        return;
    json_writer_close(&rows->json, ']');
    json_writer_close(&rows->json, '}');
}

/* null: the file is too old to say. */
static void write_extent(struct json_writer *json, const struct report *report, size_t device)
{
    struct extent extent;

    report_extent(report, device, &extent);
    if (!json_writer_open_known(json, "extent", extent.known))
        return;
    json_writer_integer(json, "planned", extent.planned);
    json_writer_integer(json, "not_run", extent.left);
    json_writer_integer(json, "elsewhere", extent.elsewhere);
    json_writer_bool(json, "ended", extent.ended);
    json_writer_known(json, "shard", extent.present == 1, extent.shard);
    json_writer_known(json, "shards", extent.shards != 0, extent.shards);
    json_writer_integer(json, "shards_present", extent.present);
    json_writer_text(json, "sharded_by", extent.shards != 0 ? extent.by : NULL);
    json_writer_close(json, '}');
}

static void write_asserted(struct json_writer *json, const struct report *report, size_t device)
{
    json_writer_open(json, "asserted", '[');
    for (size_t i = 0; i < report->asserted_count; ++i) {
        const struct store_asserted *asserted = &report->asserted[i];
        if (asserted->device != report_device(report, device)->id)
            continue;
        json_writer_open(json, NULL, '{');
        json_writer_text(json, "by", asserted->kind);
        json_writer_text(json, "name", asserted->name);
        json_writer_known_bool(json, "failed", asserted->decided, asserted->failed);
        json_writer_text(json, "said", asserted->said);
        json_writer_close(json, '}');
    }
    json_writer_close(json, ']');
}

static void write_load(struct json_writer *json, const char *name, const struct strain *strain)
{
    if (!json_writer_open_known(json, name, strain->known))
        return;
    json_writer_integer(json, "others_permille", strain->others);
    json_writer_known(json, "pressure_permille", strain->pressure_known, strain->pressure);
    json_writer_close(json, '}');
}

static void write_remark(struct json_writer *json, const struct device_strain *strain)
{
    char *text = NULL;
    FILE *stream = xopen_memstream(&text, NULL);

    if (strain_made_doubtful(strain))
        strain_print_doubt(stream, strain);
    xclose_memstream(stream, &text);
    json_writer_text(json, "remark", text);
    free(text);
}

/* null: the file is too old to say, or the system did not tell. */
static void write_machine(struct json_writer *json, const struct report *report, const struct store_device *stored)
{
    const struct device_strain strain = strains_find(report->strains, report->strain_count, stored->id);

    if (!json_writer_open_known(json, "machine", strain.strain.all.known))
        return;
    json_writer_integer(json, "processors", strain.strain.all.processors);
    json_writer_bool(json, "busy", strain_is_heavy(&strain.strain.all, strain.needed));
    json_writer_bool(json, "busy_in_doubt", strain_made_doubtful(&strain));
    json_writer_integer(json, "trials_in_doubt", strain.strain.trials_in_doubt);
    write_load(json, "load", &strain.strain.all);
    write_load(json, "load_in_doubt", &strain.strain.in_doubt);
    write_remark(json, &strain);
    json_writer_close(json, '}');
}

static void write_devices(struct rows *rows, const struct report *report)
{
    const struct report_parts *parts = report_parts(report);

    for (rows->device = 0; rows->device < report_device_count(report); ++rows->device) {
        const struct store_device *stored = report_device(report, rows->device);
        rows_open(rows, "device");
        devices_json_describe(&rows->json, &stored->info, &stored->probe);
        json_writer_bool(&rows->json, "wedged", stored->wedged);
        if (parts->json_device != NULL)
            parts->json_device(&rows->json, report, rows->device);
        write_extent(&rows->json, report, rows->device);
        write_asserted(&rows->json, report, rows->device);
        write_machine(&rows->json, report, stored);
        rows_open_list(rows, parts->json_list);
        parts->json(rows, report, rows->device);
        rows_close_list(rows);
    }
}

void rows_write(struct rows *rows, const struct report *report)
{
    json_writer_open(&rows->json, "devices", '[');
    write_devices(rows, report);
    json_writer_close(&rows->json, ']');
    json_writer_known_bool(&rows->json, "complete", report_knows_extent(report), report_is_complete(report));
    json_writer_end(&rows->json);
}

int report_write_json(FILE *out, const struct report *report, const struct text_style *style, struct error *error)
{
    struct rows rows = {.json = json_writer_begin(out)};

    (void)style;
    (void)error;
    rows_write(&rows, report);
    return 0;
}

static void write_head(struct json_writer *json, const struct report *report, const struct report_head *head)
{
    open_line(json, "run");
    json_writer_text(json, "of", report_kind_name(report->kind));
    json_writer_text(json, "uuid", head->run.uuid);
    json_writer_text(json, "tool_version", head->run.tool_version);
    json_writer_text(json, "command_line", head->run.command_line);
    json_writer_text(json, "host", head->run.host);
    json_writer_integer(json, "started_ms", head->run.started_ms > 0 ? (uint64_t)head->run.started_ms : 0);
    json_writer_end(json);
}

int report_write_jsonl(FILE *out, const struct report *report, const struct text_style *style, struct error *error)
{
    struct rows rows = {.json = {.out = out}, .lines = true};

    (void)style;
    (void)error;
    for (size_t i = 0; i < report->head_count; ++i)
        write_head(&rows.json, report, &report->heads[i]);
    write_devices(&rows, report);
    return 0;
}
