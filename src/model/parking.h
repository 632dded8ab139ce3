/*
 * Work-items that go round (model/circle.h) have no turn until one of the words changes which they read on their way.
 * Pure.
 */
#pragma once

#include "model/circle.h"
#include "model/ready.h"

/* A work-item in the list of those that one word keeps, or of all whose circles have too many words. */
struct parking_node {
    uint64_t key; /* which word; that of other lists' heads, and of words that share a list, is another one */
    uint32_t before, after;
};

struct parking {
    struct parking_node *nodes; /* of each work-item so many; then the heads of the lists */
    uint8_t *used;              /* nodes of each work-item; 0: it is not parked */
    uint32_t items;
    uint32_t heads; /* a power of two, and one for the list of all */
    uint32_t count; /* work-items that are parked */
};

#define PARKING_ITEMS_MOST (UINT32_MAX / 16) /* so many nodes can be counted */

void parking_begin(struct parking *parking, uint32_t items);
void parking_fini(struct parking *parking);

/* Parks the work-item, which goes round this circle. */
void parking_park(struct parking *parking, uint32_t item, const struct circle *circle);

/* Returns whether the work-item is parked. */
static inline bool parking_has(const struct parking *parking, uint32_t item)
{
    return parking->used[item] > 0;
}

/* Makes ready again whom this memory, which has changed, kept waiting; in the order in which they were parked. */
void parking_wake(struct parking *parking, const volatile void *at, size_t bytes, struct ready *ready);

/* Makes all ready again: nobody knows what has changed. */
void parking_wake_all(struct parking *parking, struct ready *ready);
