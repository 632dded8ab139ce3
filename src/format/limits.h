/* The limits of devices, as text. */
#ifndef GRIDLOCK_FORMAT_LIMITS_H
#define GRIDLOCK_FORMAT_LIMITS_H

#include "format/text.h"
#include "report/report.h"

#include <stdio.h>

void limits_text_heading(FILE *out, const struct limits_device *device);
void limits_text_row(FILE *out, const struct colors *colors, const struct limits_device *device,
                     const struct limits_row *row);

/* What limits, the bound, which groups were resident, and what is safe. */
void limits_text_summary(FILE *out, const struct colors *colors, const struct limits_device *device);

/* The points that were tried at given group counts (--groups), instead of rows. */
void limits_text_points(FILE *out, const struct colors *colors, const struct limits_row *row);

/* What the estimators found, or why it was not measured, in a few words. */
void limits_text_evidence(FILE *out, const struct limits_row *row);

#endif
