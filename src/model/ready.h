/* Work-items that may go on, and which of them is next: in turn, by lot, or by priorities. Pure. */
#pragma once

#include "litmus/emulate.h"

#include <stdbool.h>
#include <stdint.h>

struct ready {
    enum model_turns turns;
    uint32_t *items;       /* a ring; with priorities a heap, the highest first */
    uint32_t *places;      /* of each work-item: where in the ring it was last */
    const uint32_t *ranks; /* of each work-item: its priority */
    uint32_t mask, first, count;
};

/* Makes room for so many; `ranks` must stay where it is. ready_fini frees the room. */
void ready_begin(struct ready *ready, enum model_turns turns, uint32_t room, const uint32_t *ranks);
void ready_fini(struct ready *ready);

void ready_add(struct ready *ready, uint32_t item);

/* Takes the next one out, which must be there. `lots` is what is drawn from. */
uint32_t ready_take(struct ready *ready, uint64_t *lots);

/* Takes this one out; returns false if it is not there. Must not be called with priorities. */
bool ready_take_this(struct ready *ready, uint32_t item);

/* Returns, with priorities, whether one of them is higher than this. */
bool ready_has_higher(const struct ready *ready, uint32_t rank);
