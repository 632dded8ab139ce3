/*
 * Launches by lot, for what is too large to be explored: turns go by priorities that are drawn, and at a few drawn
 * steps one falls below all others (PCT: Burckhardt, Kothari, Musuvathi, Nagarakatti: "A randomized scheduler with
 * probabilistic guarantees of finding bugs", ASPLOS 2010). Once nobody gets on that way all take turns in order: if a
 * state comes back then, with the same memory all the while, no turns lead out of that circle.
 */
#pragma once

#include "explore/explore.h"

struct walks {
    struct explored *explored;
    const uint32_t *first; /* own states in the first state, */
    uint32_t memory;       /* and its memory */
    size_t bytes;          /* that may be taken beside what is there */
    uint64_t until_ns;
    uint32_t most; /* 0: as many as there may be */
};

/*
 * Has `explored` hold what they came to, up to the first stall or fault. The launch runs (explore/stepping.h). False: a
 * byte turned out to be shared meanwhile.
 */
bool walks_take(const struct walks *walks);

/* Whether the last one that is held stalled, or has a fault. */
bool walks_went_wrong(const struct explored *explored);

/* Has it hold none. */
void walks_forget(struct explored *explored);
