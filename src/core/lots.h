/* Lots: numbers that follow from a seed, the same everywhere (Vigna's splitmix64). */
#ifndef GRIDLOCK_CORE_LOTS_H
#define GRIDLOCK_CORE_LOTS_H

#include <stdint.h>

static inline uint64_t lots_draw(uint64_t *state)
{
    uint64_t value = *state += 0x9e3779b97f4a7c15u;
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
    value = (value ^ value >> 27) * 0x94d049bb133111ebu;
    return value ^ value >> 31;
}

/* From 0 to bound - 1; bound is at least 1. */
static inline uint32_t lots_draw_below(uint64_t *state, uint32_t bound)
{
    return (uint32_t)((lots_draw(state) >> 32) * bound >> 32);
}

#endif
