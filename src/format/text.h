/* Text for people. */
#ifndef GRIDLOCK_FORMAT_TEXT_H
#define GRIDLOCK_FORMAT_TEXT_H

#include "core/device_info.h"
#include "format/color.h"

#include <stdbool.h>
#include <stdio.h>

/* How much of it is written, and how. */
struct text_style {
    bool verbose; /* with each point */
    const struct colors *colors;
};

/* Writes a string that a driver gave, its control characters and bytes that are no UTF-8 as '?'. */
void text_clean(FILE *out, const char *text);

/* "LABEL (PLATFORM, driver VERSION)" */
void text_device(FILE *out, const struct device_info *device);

#endif
