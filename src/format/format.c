#include "format/format.h"

#include "format/kind.h"

const struct naming report_formats =
    NAMING("text", "json", "jsonl", "junit", "tap", "csv", "markdown", "lava", "prometheus", "baseline");
report_writer *const report_writers[] = {
    report_write_text, report_write_json,     report_write_jsonl, report_write_junit,      report_write_tap,
    report_write_csv,  report_write_markdown, report_write_lava,  report_write_prometheus, report_write_baseline};

const struct report_parts *report_parts(const struct report *report)
{
    static const struct report_parts *const parts[] = {
        [REPORT_RUN] = &run_parts, [REPORT_LIMITS] = &limits_parts, [REPORT_PROGRESS] = &progress_parts};
    return parts[report->kind];
}

int report_write_text(FILE *out, const struct report *report, const struct text_style *style, struct error *error)
{
    (void)error;
    report_parts(report)->text(out, report, style);
    return 0;
}

int report_write_json(FILE *out, const struct report *report, const struct text_style *style, struct error *error)
{
    struct json_writer json = json_writer_begin(out);

    (void)style;
    (void)error;
    json_writer_open(&json, "devices", '[');
    for (size_t i = 0; i < report_device_count(report); ++i) {
        json_writer_open(&json, NULL, '{');
        report_parts(report)->json(&json, report, i);
        json_writer_close(&json, '}');
    }
    json_writer_close(&json, ']');
    json_writer_end(&json);
    return 0;
}
