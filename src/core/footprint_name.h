/* What users call a footprint: "64", "64/4096/16", or of a kernel of theirs "blur.cl:blur/16x16". */
#pragma once

#include "core/trial.h"

#include <stdbool.h>

enum { FOOTPRINT_NAME = 256 };

void footprint_name(const struct footprint *footprint, char text[FOOTPRINT_NAME]);

/* Is it meant by this name, or by a part of it that suffices, or as compare and JUnit call it? */
bool footprint_answers(const struct footprint *footprint, const char *name);
