/* The formats that the report of a run is written in. */
#ifndef GRIDLOCK_FORMAT_FORMAT_H
#define GRIDLOCK_FORMAT_FORMAT_H

#include "format/text.h"
#include "report/report.h"

#include <stdio.h>

/* Text alone has colours. */
typedef int report_writer(FILE *out, const struct report *report, const struct text_style *style, struct error *error);

/* The format's writer, or NULL. Whether the stream took it all, the caller finds out. */
report_writer *report_format_find(const char *name);

/* "text, json, ..." */
void report_format_names(char *names, size_t size);

report_writer report_write_text, report_write_json, report_write_jsonl, report_write_junit, report_write_tap,
    report_write_csv, report_write_markdown, report_write_lava, report_write_prometheus;

#endif
