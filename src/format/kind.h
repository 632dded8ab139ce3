/*
 * What formats ask of a kind of run, of limits, scenarios or litmus tests: each has a row of parts, in a file of its own.
 * What a format needs of no kind in particular it has from cases (format/case.h).
 */
#ifndef GRIDLOCK_FORMAT_KIND_H
#define GRIDLOCK_FORMAT_KIND_H

#include "format/case.h"
#include "format/json_writer.h"
#include "format/text.h"

#include <inttypes.h>
#include <stdio.h>

struct csv;

struct report_parts {
    void (*text)(FILE *out, const struct report *report, const struct text_style *style);
    void (*json)(struct json_writer *json, const struct report *report, size_t device); /* members of its object */
    void (*jsonl)(struct json_writer *json, const struct report *report, size_t device);
    const char *csv_columns; /* between those of the device and of the evidence */
    void (*csv)(struct csv *csv, const struct report_case *found);
    void (*markdown)(FILE *out, const struct report *report, size_t device);
    void (*prometheus)(FILE *out, const struct report *report);
    void (*each_case)(const struct report *report, size_t device, case_taker *take, void *context);
};

extern const struct report_parts run_parts, limits_parts, progress_parts;

const struct report_parts *report_parts(const struct report *report);

/* --- what formats give to parts --- */

/* A line of JSON Lines, with its type and the number of its device. */
void jsonl_open(struct json_writer *json, const char *type, size_t device);
void jsonl_close(struct json_writer *json);

/* A cell; that of a count is empty for 0. */
void csv_text(struct csv *csv, const char *text);
void csv_number(struct csv *csv, uint64_t value);
void csv_count(struct csv *csv, uint64_t value);

/* A metric, and a label; begin writes "name{" with the labels that tell devices apart, end the value. */
void prometheus_head(FILE *out, const char *name, const char *type, const char *help);
void prometheus_begin(FILE *out, const struct report *report, size_t device, const char *name);
void prometheus_label(FILE *out, const char *name, const char *value);
void prometheus_end(FILE *out, uint64_t value);

#endif
