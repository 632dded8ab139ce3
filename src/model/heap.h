/* Numbers, the one of the highest rank first. Pure. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct heap {
    uint32_t *items;
    uint32_t *places;      /* of each number: where in the heap it was last */
    const uint32_t *ranks; /* of each number */
    uint32_t count;
};

/* Makes room for the numbers below `room`; `ranks` must stay where it is. heap_fini frees the room. */
void heap_begin(struct heap *heap, uint32_t room, const uint32_t *ranks);
void heap_fini(struct heap *heap);

/* Adds a number that is not there. Its rank must not change until it is taken. */
void heap_add(struct heap *heap, uint32_t item);

/* Takes this one out; returns false if it is not there. */
bool heap_take(struct heap *heap, uint32_t item);

/* Returns the first one, which must be there. */
static inline uint32_t heap_first(const struct heap *heap)
{
    return heap->items[0];
}
