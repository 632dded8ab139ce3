/* The formats that the report of a run is written in. */
#pragma once

#include "core/naming.h"
#include "format/text.h"
#include "report/report.h"

#include <stdio.h>

/* Text alone has colours. */
typedef int report_writer(FILE *out, const struct report *report, const struct text_style *style, struct error *error);

report_writer report_write_text, report_write_json, report_write_jsonl, report_write_junit, report_write_tap,
    report_write_csv, report_write_markdown, report_write_lava, report_write_prometheus, report_write_baseline,
    report_write_html;

/*
 * Part of the text: what was asserted, which shards the file has, and what was not run; nothing if there is no such
 * thing.
 */
void report_write_extents(FILE *out, const struct report *report);

/* A page of runs, in the order of these functions; html_run for each. */
struct html_page {
    FILE *out;
    size_t runs;               /* still to come */
    size_t data, explanations; /* bytes that are left for them */
};
void html_begin(struct html_page *page, FILE *out, size_t runs);
void html_run(struct html_page *page, const struct report *report);
void html_end(struct html_page *page);

/* The writers in the order of their names. Whether the stream took it all, the caller finds out. */
extern const struct naming report_formats;
extern report_writer *const report_writers[];
