/*
 * Models of progress: which threads have fair execution (Sorensen, Evrard, Donaldson: "GPU schedulers: how fair is
 * fair enough?", CONCUR 2018).
 */
#ifndef GRIDLOCK_LITMUS_MODEL_H
#define GRIDLOCK_LITMUS_MODEL_H

#include "core/naming.h"

#include <stdint.h>

enum litmus_model {
    LITMUS_HSA,     /* the thread of the lowest id that has not ended */
    LITMUS_OBE,     /* those that have taken a step and not ended: occupancy-bound */
    LITMUS_HSA_OBE, /* both */
    LITMUS_LOBE,    /* those not ended whose id is at most the highest that has taken a step: linear occupancy-bound */
    LITMUS_FAIR,    /* all that have not ended */
    LITMUS_MODELS,
};

NAMING_DECLARE(litmus_model, enum litmus_model);

/* A bit for each thread; so are `started`, those that have taken a step, and `ended`. */
uint32_t litmus_fair_threads(enum litmus_model model, unsigned threads, uint32_t started, uint32_t ended);

#endif
