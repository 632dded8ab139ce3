/*
 * Work-items that may go on, and which of them is next: in turn, by lot, or by priorities. Pure.
 *
 * In turn, if there are others, only every fifth is one that is idle: it has changed nothing for a while. Every other
 * one of these is the one that has been idle for longest. Of all that wait for a lock each looks at it again and again,
 * mostly in vain; else who has it would have to wait for them all.
 */
#pragma once

#include "core/lots.h"
#include "litmus/emulate.h"
#include "model/heap.h"

#include <stdbool.h>
#include <stdint.h>

struct ready {
    enum model_turns turns;
    uint32_t *items;  /* a ring: those that are not idle; by lot all; with priorities none */
    uint32_t *places; /* in turn, of each work-item: where in the ring it was last */
    uint32_t mask, first, in_ring;
    struct heap heap; /* with priorities all; in turn those that are idle */
    uint32_t *before; /* in turn: the same in the order in which they came, a list with this head */
    uint32_t *after;
    uint32_t head;
    uint32_t since;  /* turns of others since an idle one had one, */
    uint32_t idlers; /* and turns of these */
    uint32_t count;  /* of all */
};

/*
 * Makes room for so many. `ranks` must stay where it is; in turn the higher has been idle for longer. ready_fini frees
 * the room.
 */
void ready_begin(struct ready *ready, enum model_turns turns, uint32_t room, const uint32_t *ranks);
void ready_fini(struct ready *ready);

void ready_add(struct ready *ready, uint32_t item);

/* The same for one that is idle. */
void ready_add_idle(struct ready *ready, uint32_t item);

/* Takes the next one out, which must be there. `lots` is what is drawn from. */
uint32_t ready_take(struct ready *ready, uint64_t *lots);

/*
 * By lot: returns where it is said which is `ahead` draws after the next one, if each that is taken is added again
 * before the next one is.
 */
static inline const uint32_t *ready_foresee(const struct ready *ready, uint64_t lots, uint32_t ahead)
{
    lots_skip(&lots, ahead);
    return &ready->items[(ready->first + ahead + lots_draw_below(&lots, ready->in_ring + 1)) & ready->mask];
}

/* Takes this one out; returns false if it is not there. Must not be called with priorities. */
bool ready_take_this(struct ready *ready, uint32_t item);

/* Returns, with priorities, whether one of them is higher than this. */
bool ready_has_higher(const struct ready *ready, uint32_t rank);
