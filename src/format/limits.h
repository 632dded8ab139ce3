/* The limits of devices, as text. */
#pragma once

#include "format/text.h"
#include "report/report.h"

#include <stdio.h>

/* `of_subjects`: its rows are, or will be, of kernels of the user's. */
void limits_text_heading(FILE *out, const struct limits_device *device, bool of_subjects);
void limits_text_row(FILE *out, const struct colors *colors, const struct limits_device *device,
                     const struct limits_row *row);

/* What limits, the bound, which groups were resident, and what is safe. */
void limits_text_summary(FILE *out, const struct colors *colors, const struct limits_device *device);

/* The points that were tried at given group counts (--groups), instead of rows. */
void limits_text_points(FILE *out, const struct colors *colors, const struct limits_row *row);

/* What the estimators found, or why it was not measured, in a few words. */
void limits_text_evidence(FILE *out, const struct limits_row *row);

/* They are of kernels of the user's. */
bool limits_text_is_of_subjects(const struct limits_device *device);

/* How each header begins that limits_header writes. */
#define GRIDLOCK_HEADER_MARK "/* Limits of kernels as measured by gridlock"

/* The limits as C constants, and a function that says whether so many groups fit. */
void limits_header(FILE *out, const struct limits_report *report, const char *date);
