/* In which order the work-groups of a launch take their places. Pure. */
#pragma once

#include "litmus/emulate.h"

#include <stdbool.h>
#include <stdint.h>

struct order {
    const struct model_device *device;
    uint32_t groups;
    uint32_t places; /* slots that groups take */
    uint32_t reach;  /* of so many groups, from the lowest on, the device's order decides; the others follow by id */
    uint32_t taken;  /* groups that were given a place */
    uint32_t held;   /* places that are taken */
    uint32_t lowest; /* the first group that has not ended, or `groups` */
    uint8_t *state;  /* of each group: WAITS, STARTED or ENDED */
    uint32_t *lots;  /* the groups in the order that was drawn; or NULL */
    uint32_t step;   /* of mixed order */
    uint32_t *chunk; /* of chunked and split order, for each place: the next group of its chunk, and where that ends */
    uint32_t chunk_next;
};

/* Fills a zeroed order. Call order_fini even if nothing was begun. */
void order_begin(struct order *order, const struct model_device *device, uint32_t groups, uint64_t seed);
void order_fini(struct order *order);

/* Takes the group that gets this free place now: it counts as started. Returns false if no group does. */
bool order_take(struct order *order, uint32_t place, uint32_t *group);

/* Notes that the group has ended, so that its place is free. */
void order_end(struct order *order, uint32_t group);
