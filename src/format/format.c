#include "format/format.h"

#include "format/kind.h"

const struct naming report_formats =
    NAMING("text", "json", "jsonl", "junit", "tap", "csv", "markdown", "lava", "prometheus");
report_writer *const report_writers[] = {report_write_text,     report_write_json, report_write_jsonl,
                                         report_write_junit,    report_write_tap,  report_write_csv,
                                         report_write_markdown, report_write_lava, report_write_prometheus};

const struct report_parts *report_parts(const struct report *report)
{
    static const struct report_parts *const parts[] = {
        [REPORT_RUN] = &run_parts, [REPORT_LIMITS] = &limits_parts, [REPORT_PROGRESS] = &progress_parts};
    return parts[report->kind];
}

int report_write_text(FILE *out, const struct report *report, const struct text_style *style, struct error *error)
{
    (void)error;
    for (size_t i = 0; i < report_device_count(report); ++i) {
        if (i > 0)
            fputc('\n', out);
        report_parts(report)->text(out, report, i, style);
    }
    return 0;
}
