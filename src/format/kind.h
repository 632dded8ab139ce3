/*
 * What formats ask of a kind of run: each has a row of parts, in a file NAME_parts.c; limits of the user's kernels have
 * one beside that of limits. What a format needs of no kind in particular it has from cases (format/case.h).
 */
#pragma once

#include "format/case.h"
#include "format/json_writer.h"
#include "format/text.h"

#include <inttypes.h>
#include <stdio.h>

struct csv;

/* What is found on a device, as nested lists of JSON, or each row as a line of JSON Lines. */
struct rows {
    struct json_writer json;
    bool lines; /* JSON Lines */
    enum rows_left {
        ROWS_NONE_LEFT,
        ROWS_DETAILS_LEFT,
        ROWS_POINTS_LEFT
    } left; /* out, of points that are as expected */
    size_t device;
};

typedef void text_part(FILE *out, const struct report *report, size_t device, const struct text_style *style);
typedef void json_members(struct json_writer *json, const struct report *report, size_t device);
typedef void json_part(struct rows *rows, const struct report *report, size_t device);

struct report_parts {
    text_part *text;
    json_members *json_device; /* what it has beside its extent and its list; NULL: nothing */
    const char *json_list;     /* the name of its list */
    json_part *json;           /* the rows in it */
    const char *csv_columns;   /* between those of the device and of the evidence */
    void (*csv)(struct csv *csv, const struct report_case *found);
    void (*markdown)(FILE *out, const struct report *report, size_t device);
    void (*prometheus)(FILE *out, const struct report *report);
    void (*each_case)(const struct report *report, size_t device, case_taker *take, void *context);
};

extern const struct report_parts run_parts, limits_parts, subject_parts, progress_parts, audit_parts, proof_parts,
    watch_parts;
text_part run_text, try_text, limits_text, progress_text, audit_text, proof_text, proof_text_here;
json_members run_json_device, limits_json_device, progress_json_device, proof_json_here;
json_part run_json, limits_json, progress_json;

const struct report_parts *report_parts(const struct report *report);

/* Why a kernel is not known to be safe on a device, as a sentence without its end. */
struct here;
struct proofs_device;
void proof_text_refusal(FILE *out, const struct proofs_device *device, const struct here *here);

/* --- what formats give to parts --- */

/* A row, and a list of rows inside it, after its own members; the end of the list is that of the row. */
void rows_open(struct rows *rows, const char *type);
void rows_close(struct rows *rows);
void rows_open_list(struct rows *rows, const char *name);
void rows_close_list(struct rows *rows);

/* The members of a document, and its end. */
void rows_write(struct rows *rows, const struct report *report);

/* A cell; that of a count is empty for 0. */
void csv_text(struct csv *csv, const char *text);
void csv_number(struct csv *csv, uint64_t value);
void csv_count(struct csv *csv, uint64_t value);
void csv_known(struct csv *csv, bool known, uint64_t value); /* empty if it is not known */

/*
 * A metric, and a label, whose name begins with a comma; begin writes "name{" with the labels that tell devices apart,
 * end the value; a sample is both, without other labels.
 */
void prometheus_head(FILE *out, const char *name, const char *type, const char *help);
void prometheus_begin(FILE *out, const struct report *report, size_t device, const char *name);
void prometheus_label(FILE *out, const char *name, const char *value);
void prometheus_end(FILE *out, uint64_t value);
void prometheus_sample(FILE *out, const struct report *report, size_t device, const char *name, uint64_t value);
