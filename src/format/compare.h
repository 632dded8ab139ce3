/* What changed between two runs, in each format. */
#ifndef GRIDLOCK_FORMAT_COMPARE_H
#define GRIDLOCK_FORMAT_COMPARE_H

#include "format/color.h"
#include "report/compare.h"
#include "report/compare_progress.h"

#include <stdio.h>

enum { COMPARE_TESTS_LISTED = 8 }; /* of each kind, in text and in Markdown */

/* What begins a device's part, by what is known of it in the run before and in the new one. false: it is in one alone. */
bool compare_text_device(FILE *out, const struct device_info *before, const struct device_info *after, enum pairing by);
bool compare_markdown_device(FILE *out, const struct device_info *before, const struct device_info *after,
                             enum pairing by);

void compare_text(FILE *out, const struct colors *colors, const struct comparison *comparison);
void compare_markdown(FILE *out, const struct comparison *comparison);
void compare_json(FILE *out, const struct comparison *comparison);

void compare_progress_text(FILE *out, const struct colors *colors, const struct progress_comparison *comparison);
void compare_progress_markdown(FILE *out, const struct progress_comparison *comparison);
void compare_progress_json(FILE *out, const struct progress_comparison *comparison);

#endif
