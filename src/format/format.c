#include "format/format.h"

#include "format/kind.h"
#include "format/limits.h"

const struct naming report_formats =
    NAMING("text", "json", "jsonl", "junit", "tap", "csv", "markdown", "lava", "prometheus", "baseline", "html");
report_writer *const report_writers[] = {report_write_text,     report_write_json, report_write_jsonl,
                                         report_write_junit,    report_write_tap,  report_write_csv,
                                         report_write_markdown, report_write_lava, report_write_prometheus,
                                         report_write_baseline, report_write_html};

const struct report_parts *report_parts(const struct report *report)
{
    static const struct report_parts *const parts[] = {[REPORT_RUN] = &run_parts,
                                                       [REPORT_LIMITS] = &limits_parts,
                                                       [REPORT_PROGRESS] = &progress_parts,
                                                       [REPORT_AUDIT] = &audit_parts};
    const bool of_subjects = report->kind == REPORT_LIMITS && report->limits.count > 0 &&
                             limits_text_is_of_subjects(&report->limits.devices[0]);
    return of_subjects ? &subject_parts : parts[report->kind];
}

/* "LABEL: ...", in lines; of all devices without a label. */
static void write_extent(FILE *out, const struct store_device *stored,
                         void (*print)(FILE *out, const struct report *report, const struct extent *extent),
                         const struct report *report, const struct extent *extent)
{
    struct text_lines lines;
    FILE *line = text_lines_begin(&lines, out);

    if (stored != NULL)
        fprintf(line, "%s: ", DEVICE_LABEL_OF(&stored->info));
    print(line, report, extent);
    text_lines_end(&lines, out, "", "  ");
}

static void print_devices(FILE *out, const struct report *report, const struct extent *extent)
{
    (void)extent;
    extent_print_devices(out, report);
}

int report_write_text(FILE *out, const struct report *report, const struct text_style *style, struct error *error)
{
    (void)error;
    for (size_t i = 0; i < report_device_count(report); ++i) {
        if (i > 0)
            fputc('\n', out);
        report_parts(report)->text(out, report, i, style);
    }
    report_write_extents(out, report);
    return 0;
}

void report_write_extents(FILE *out, const struct report *report)
{
    bool begun = false;

    for (size_t i = 0; i < report_device_count(report); ++i) {
        const struct store_device *stored = report_device(report, i);
        struct extent extent;
        report_extent(report, i, &extent);
        const bool left = !extent.ended && !stored->wedged;
        if (extent.shards == 0 && !left)
            continue;
        fputs(begun ? "" : "\n", out);
        begun = true;
        if (extent.shards != 0)
            write_extent(out, stored, extent_print_shard, report, &extent);
        if (left)
            write_extent(out, stored, extent_print_left, report, &extent);
    }
    if (report_devices_left(report) > 0) {
        fputs(begun ? "" : "\n", out);
        write_extent(out, NULL, print_devices, report, NULL);
    }
}
