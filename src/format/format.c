#include "format/format.h"

#include "format/limits.h"
#include "format/progress.h"
#include "format/run.h"

const struct naming report_formats =
    NAMING("text", "json", "jsonl", "junit", "tap", "csv", "markdown", "lava", "prometheus");
report_writer *const report_writers[] = {report_write_text,     report_write_json, report_write_jsonl,
                                         report_write_junit,    report_write_tap,  report_write_csv,
                                         report_write_markdown, report_write_lava, report_write_prometheus};

int report_write_text(FILE *out, const struct report *report, const struct text_style *style, struct error *error)
{
    (void)error;
    if (report->kind == REPORT_LIMITS)
        limits_text(out, &report->limits, style);
    else if (report->kind == REPORT_PROGRESS)
        progress_text(out, &report->progress, style);
    else
        run_text(out, &report->run, style);
    return 0;
}

int report_write_json(FILE *out, const struct report *report, const struct text_style *style, struct error *error)
{
    (void)style;
    (void)error;
    if (report->kind == REPORT_LIMITS)
        limits_json(out, &report->limits);
    else if (report->kind == REPORT_PROGRESS)
        progress_json(out, &report->progress);
    else
        run_json(out, &report->run);
    return 0;
}
