/* What the models of progress say of a program. */
#pragma once

#include "core/naming.h"
#include "core/progress_model.h"

#include <stdint.h>

NAMING_DECLARE(litmus_model, enum litmus_model);

/* A bit for each thread; so are `started`, those that have taken a step, and `ended`. */
uint32_t litmus_fair_threads(enum litmus_model model, unsigned threads, uint32_t started, uint32_t ended);

/*
 * The same for some threads of many: those that have not ended, given the lowest of all that have not, if it is one
 * of these, those that have started, and those up to the highest of all that have.
 */
uint32_t litmus_fair_among(enum litmus_model model, uint32_t running, uint32_t lowest, uint32_t started,
                           uint32_t reached);
