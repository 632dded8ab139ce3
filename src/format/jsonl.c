/* JSON Lines: one object a line, with its type; first the runs, then each device, followed by what was found on it. */
#include "format/format.h"
#include "format/kind.h"

static void open_line(struct json_writer *json, const char *type)
{
    json_writer_open(json, NULL, '{');
    json_writer_text(json, "schema_version", JSON_SCHEMA_VERSION);
    json_writer_text(json, "type", type);
}

void jsonl_close(struct json_writer *json)
{
    json_writer_end(json);
}

void jsonl_open(struct json_writer *json, const char *type, size_t device)
{
    open_line(json, type);
    json_writer_integer(json, "device", device);
}

static void write_head(struct json_writer *json, const struct report *report, const struct report_head *head)
{
    open_line(json, "run");
    json_writer_text(json, "of", report_kind_name(report->kind));
    json_writer_text(json, "uuid", head->uuid);
    json_writer_text(json, "tool_version", head->tool_version);
    json_writer_text(json, "command_line", head->command_line);
    json_writer_text(json, "host", head->host);
    json_writer_integer(json, "started_ms", head->started_ms > 0 ? (uint64_t)head->started_ms : 0);
    jsonl_close(json);
}

int report_write_jsonl(FILE *out, const struct report *report, const struct text_style *style, struct error *error)
{
    struct json_writer json = {.out = out};

    (void)style;
    (void)error;
    for (size_t i = 0; i < report->head_count; ++i)
        write_head(&json, report, &report->heads[i]);
    for (size_t i = 0; i < report_device_count(report); ++i)
        report_parts(report)->jsonl(&json, report, i);
    return 0;
}
