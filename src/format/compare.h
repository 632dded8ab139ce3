/* What changed between two runs, in each format. */
#pragma once

#include "format/color.h"
#include "report/compare.h"

#include <stdio.h>

void compare_text(FILE *out, const struct colors *colors, const struct comparison *comparison);
void compare_markdown(FILE *out, const struct comparison *comparison);
void compare_json(FILE *out, const struct comparison *comparison);
