/* What changed between two runs, in each format. */
#pragma once

#include "format/color.h"
#include "format/json_writer.h"
#include "report/compare.h"

#include <stdio.h>

enum { COMPARE_TESTS_LISTED = 8 }; /* of each kind, in text and in Markdown */

void compare_text(FILE *out, const struct colors *colors, const struct comparison *comparison);
void compare_markdown(FILE *out, const struct comparison *comparison);
void compare_json(FILE *out, const struct comparison *comparison);

/* Of litmus tests: what follows the device. */
void compare_progress_text(FILE *out, const struct colors *colors, const struct compare_progress_device *device);
void compare_progress_markdown(FILE *out, const struct compare_progress_device *device);
void compare_progress_json(struct json_writer *json, const struct compare_progress_device *device);
