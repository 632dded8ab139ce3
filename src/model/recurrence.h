/*
 * A launch that comes back: all memory and all work-items are as they were, and each that may have a turn had one
 * since. Taken in turn, they can do the same for ever. Looked for at turns of one work-item, so that a round is over,
 * with the steps of Brent's cycle detection (BIT 20, 1980): only a hash of 128 bits is kept.
 */
#pragma once

#include <stdint.h>

struct recurrence {
    uint64_t due;         /* the step from which it is looked again */
    uint32_t pivot;       /* at whose turns */
    uint32_t looks, most; /* since a state was kept, and how many until another one is */
    uint64_t kept;        /* the step of that state, */
    uint64_t epoch;       /* how often memory had changed, */
    uint64_t hash[2];     /* and what it was */
};

enum recurrence_found { RECURRENCE_NOT, RECURRENCE_STILL, RECURRENCE_CHANGING };

/* Begins anew: the launch begins, or somebody has changed it from outside. */
void recurrence_begin(struct recurrence *recurrence, uint64_t steps);

/*
 * This work-item of the launch that runs (model/run.h) is about to have its turn, and it is due: has the launch come
 * back? If so, its memory either never changed in between, or did. Takes less than a tenth of the launch's time.
 */
enum recurrence_found recurrence_look(struct recurrence *recurrence, uint32_t item);
