/* Text for people. */
#pragma once

#include "core/device_info.h"
#include "core/subject.h"
#include "format/color.h"

#include <stdbool.h>
#include <stdio.h>

/* How much of it is written, and how. */
struct text_style {
    bool verbose; /* with each point */
    const struct colors *colors;
};

/* Writes a text as escape_text does, its words in lines of 80 columns; `first` and `margin` as in struct text_page. */
void text_clean_lines(FILE *out, const char *first, const char *margin, const char *text);

/* Collects what is written to a stream between begin and end, and prints it as text_clean_lines does. */
struct text_lines {
    FILE *stream;
    bool open; /* to be set before the end: the last line does not end with a newline */
    int used;  /* likewise: columns of the first line that are taken already */
    char *text;
};
FILE *text_lines_begin(struct text_lines *lines);
void text_lines_end(struct text_lines *lines, FILE *out, const char *first, const char *margin);

/* A cell of a table behind a blank, to the right in so many columns; "-": there is nothing to say. */
void text_cell(FILE *out, int columns, bool known, const char *format, ...) __attribute__((format(printf, 4, 5)));

/* "LABEL (PLATFORM, driver VERSION)" */
void text_device(FILE *out, const struct device_info *device);

/* The same in lines, as text_clean_lines breaks them, the last one without a newline. */
void text_device_lines(FILE *out, const char *first, const char *margin, const struct device_info *device);

/* Behind a newline: "2 compute units, dialect cl30, channel shared"; `dialect` is what the dialect is called. */
void text_probe(FILE *out, const struct device_info *device, const struct device_probe *probe, const char *dialect);

/* "needs: started groups get turns (OBE)": what was proved of a launch. */
struct proof_row;
struct trial;
enum { PROOF_NAME = SUBJECT_PATH + SUBJECT_KERNEL };
enum { PROOF_LAUNCH = 2 * SHAPE_BYTES + 120 };
void proof_print_name(const struct trial *trial, char name[PROOF_NAME], char shape[SHAPE_BYTES]);

/* Its groups as --groups takes them: "4", or "2x2"; and all of it: "2x2 groups of 1 from (4, 0, 0)". */
void proof_print_groups(const struct trial *trial, char groups[SHAPE_BYTES]);
void proof_print_launch(const struct trial *trial, char text[PROOF_LAUNCH]);
void proof_text_answer(FILE *out, const struct proof_row *row);

/* "Promised: 4096 work-items; measured: 1024 work-items. 5 of 5 times it was not as promised. ...": what was found. */
struct audit_row;
void audit_text_finding(FILE *out, const struct audit_row *row);
