/* What changed between two runs, in each format. */
#pragma once

#include "format/color.h"
#include "report/compare.h"

#include <stdio.h>

void compare_text(FILE *out, const struct colors *colors, const struct comparison *comparison);
void compare_markdown(FILE *out, const struct comparison *comparison);
void compare_json(FILE *out, const struct comparison *comparison);

/* Their part of text and Markdown for a device of which litmus tests were run. */
void compare_text_tests(FILE *out, const struct colors *colors, const struct compare_progress_device *device);
void compare_markdown_tests(FILE *out, const struct compare_progress_device *device);
