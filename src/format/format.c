#include "format/format.h"

#include "format/json.h"
#include "format/kind.h"

#include <string.h>

static const struct {
    const char *name;
    report_writer *write;
} formats[] = {
    {"text", report_write_text},         {"json", report_write_json}, {"jsonl", report_write_jsonl},
    {"junit", report_write_junit},       {"tap", report_write_tap},   {"csv", report_write_csv},
    {"markdown", report_write_markdown}, {"lava", report_write_lava}, {"prometheus", report_write_prometheus},
};

const struct report_parts *report_parts(const struct report *report)
{
    static const struct report_parts *const parts[] = {
        [REPORT_RUN] = &run_parts, [REPORT_LIMITS] = &limits_parts, [REPORT_PROGRESS] = &progress_parts};
    return parts[report->kind];
}

report_writer *report_format_find(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i)
        if (strcmp(formats[i].name, name) == 0)
            return formats[i].write;
    return NULL;
}

void report_format_names(char *names, size_t size)
{
    size_t used = 0;

    names[0] = '\0';
    for (size_t i = 0; i < sizeof formats / sizeof *formats && used < size; ++i)
        used += (size_t)snprintf(names + used, size - used, "%s%s", i > 0 ? ", " : "", formats[i].name);
}

int report_write_text(FILE *out, const struct report *report, const struct text_style *style, struct error *error)
{
    (void)error;
    report_parts(report)->text(out, report, style);
    return 0;
}

int report_write_json(FILE *out, const struct report *report, const struct text_style *style, struct error *error)
{
    struct json_writer json = {.out = out, .indent = true};

    (void)style;
    (void)error;
    json_writer_open(&json, NULL, '{');
    json_writer_text(&json, "schema_version", JSON_SCHEMA_VERSION);
    json_writer_open(&json, "devices", '[');
    for (size_t i = 0; i < report_device_count(report); ++i) {
        json_writer_open(&json, NULL, '{');
        report_parts(report)->json(&json, report, i);
        json_writer_close(&json, '}');
    }
    json_writer_close(&json, ']');
    json_writer_close(&json, '}');
    fputc('\n', out);
    return 0;
}
