/*
 * Models of progress: which threads have fair execution (Sorensen, Evrard, Donaldson: "GPU schedulers: how fair is
 * fair enough?", CONCUR 2018).
 */
#pragma once

#include <stdint.h>

enum litmus_model {
    LITMUS_HSA,     /* the thread of the lowest id that has not ended */
    LITMUS_OBE,     /* those that have taken a step and not ended: occupancy-bound */
    LITMUS_HSA_OBE, /* both */
    LITMUS_LOBE,    /* those not ended whose id is at most the highest that has taken a step: linear occupancy-bound */
    LITMUS_FAIR,    /* all that have not ended */
    LITMUS_MODELS,
};

/* Bit m stands for model m. */
typedef uint32_t model_set;

/* What threads are. */
enum block_level {
    LEVEL_GROUP,     /* work-groups, of which the first work-item acts */
    LEVEL_SUB_GROUP, /* sub-groups of one group, of which the first work-item acts */
    LEVEL_ITEM,      /* work-items of one group */
    LEVEL_LANE,      /* work-items of one sub-group, which is a whole group */
    LEVEL_COUNT,
};

/* Of each level, the models that a device keeps; 0: that is not known. */
struct models_kept {
    model_set of[LEVEL_COUNT];
};
