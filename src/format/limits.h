/* The limits of devices, as text. */
#pragma once

#include "format/text.h"
#include "report/report.h"

#include <stdio.h>

/* --- kernels of the user's (subjects_text.c) --- */

enum { SUBJECT_TABLE_KERNELS = 12, SUBJECT_TABLE_SIZES = 5 };

/*
 * How kernels of the user's are shown: up to SUBJECT_TABLE_KERNELS with a block each, more with a line each, and a
 * column for each of their first sizes. Zeroed: there are none.
 */
struct subject_table {
    size_t kernels;
    struct nd_range sizes[SUBJECT_TABLE_SIZES];
    size_t size_count;
    struct subject last;
};

/* Counts in the next footprint that is, or will be, a row; other footprints, and kernels of ours, count for nothing. */
void subject_table_add(struct subject_table *table, const struct footprint *footprint);
void subject_table_heading(FILE *out, const struct subject_table *table);

/* As limits_text_rows. */
size_t subject_table_rows(FILE *out, const struct colors *colors, const struct limits_device *device,
                          const struct subject_table *table, size_t from, bool whole);

/* The rows of ours, if there are any. */
void subject_table_ours(FILE *out, const struct colors *colors, const struct limits_device *device);

/* "64", "16x16": the work-items of a group. "": it is a file that does not build, of which no size was measured. */
void limits_print_group(const struct subject *subject, char shape[SHAPE_BYTES]);

/* "4224", "at least 792", "792 to 1056": groups that are resident together. "": not known. */
enum { RESIDENT_BYTES = 32 };
void limits_print_resident(const struct limits_row *row, char text[RESIDENT_BYTES]);

/* --- the table --- */

void limits_text_heading(FILE *out, const struct limits_device *device, const struct subject_table *table);

/*
 * Writes the rows from `from` on, and returns which comes next. Unless these are all that there will be (`whole`), the
 * last ones may be left for the next time.
 */
size_t limits_text_rows(FILE *out, const struct colors *colors, const struct limits_device *device,
                        const struct subject_table *table, size_t from, bool whole);

/*
 * What its files share: cells of a row, its end, and why a row was not measured. "132 20/20": groups, of so many
 * launches.
 */
void limits_text_point(FILE *out, uint32_t groups, uint32_t count, uint32_t launches);
void limits_text_end(FILE *out, const struct colors *colors, const struct limits_device *device,
                     const struct limits_row *row);
void limits_text_refusal(FILE *out, const struct colors *colors, const struct limits_device *device,
                         const struct limits_row *row, int used);

/* Red if it is a surprise, yellow if a launch failed and did so no more when it was repeated. */
const char *limits_text_color(const struct colors *colors, const struct limits_device *device,
                              const struct limits_row *row);

/* What limits, the bound, which groups were resident, and what is safe. */
void limits_text_summary(FILE *out, const struct colors *colors, const struct limits_device *device);

/* What the estimators found, or why it was not measured, in a few words. */
void limits_text_evidence(FILE *out, const struct limits_row *row);

/* How each header begins that limits_header writes. */
#define GRIDLOCK_HEADER_MARK "/* Limits of kernels as measured by gridlock"

/* On what the limits of a header hang that no report has. */
struct limits_setting {
    const char *date;
    const char *const *files; /* as they were given */
    const uint64_t *digests;  /* of their texts (tally_hash_bytes) */
    size_t file_count;
    const char *const (*variables)[2]; /* of the environment: names and values, NULL where one is not set */
    size_t variable_count;
    int processors; /* that this process may use; 0: not known */
};

/* The limits as C constants, and a function that says whether so many groups fit where it is called. */
void limits_header(FILE *out, const struct limits_report *report, const struct limits_setting *setting);
