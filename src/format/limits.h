/* The limits of devices, as text and as JSON. */
#ifndef GRIDLOCK_FORMAT_LIMITS_H
#define GRIDLOCK_FORMAT_LIMITS_H

#include "format/json_writer.h"
#include "format/text.h"
#include "report/report.h"

#include <stdio.h>

/* --- text --- */

void limits_text_heading(FILE *out, const struct limits_device *device);
void limits_text_row(FILE *out, const struct colors *colors, const struct limits_device *device,
                     const struct limits_row *row);

/* What limits, the bound, which groups were resident, and what is safe. */
void limits_text_summary(FILE *out, const struct colors *colors, const struct limits_device *device);

/* The points that were tried at given group counts (--groups), instead of rows. */
void limits_text_points(FILE *out, const struct colors *colors, const struct limits_row *row);

/* What the estimators found, or why it was not measured, in a few words. */
void limits_text_evidence(FILE *out, const struct limits_row *row);

/* All of it, as limits prints it bit by bit; if verbose, with each group count that was tried. */
void limits_text(FILE *out, const struct report *report, const struct text_style *style);

/* --- JSON --- */

/* The members of a device's object. */
void limits_json(struct json_writer *json, const struct report *report, size_t device);

/* The members of an object, but for a device's rows. */
void limits_json_device(struct json_writer *json, const struct limits_device *device);
void limits_json_row(struct json_writer *json, const struct limits_row *row);

#endif
