/* What the models of progress say of a program. */
#pragma once

#include "core/naming.h"
#include "core/progress_model.h"

#include <stdint.h>

NAMING_DECLARE(litmus_model, enum litmus_model);

/* A bit for each thread; so are `started`, those that have taken a step, and `ended`. */
uint32_t litmus_fair_threads(enum litmus_model model, unsigned threads, uint32_t started, uint32_t ended);
