/* Lots: numbers that follow from a seed, the same everywhere (Vigna's splitmix64). */
#pragma once

#include <stdint.h>

#define LOTS_STEP UINT64_C(0x9e3779b97f4a7c15)

/* Goes on as if so many had been drawn. */
static inline void lots_skip(uint64_t *state, uint64_t count)
{
    *state += count * LOTS_STEP;
}

static inline uint64_t lots_draw(uint64_t *state)
{
    uint64_t value = *state += LOTS_STEP;
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
    value = (value ^ value >> 27) * 0x94d049bb133111ebu;
    return value ^ value >> 31;
}

/*
 * The seed of a launch: `number` launches after one with `seed`, which has number 0. Steps add up, so that a batch goes
 * on where the one before it ended, and 2^32 - 1 launches go by before a seed comes again. Only number 0 may have seed
 * 0, which is how a seed is stored that is not known. The step is odd, and far from those by which kernels tell groups
 * and rounds apart.
 */
static inline uint32_t lots_launch_seed(uint32_t seed, uint32_t number)
{
    const uint32_t moved = seed + number * 0xc2b2ae35u;
    return moved != 0 || number == 0 ? moved : 1;
}

/* From 0 to bound - 1; bound is at least 1. */
static inline uint32_t lots_draw_below(uint64_t *state, uint32_t bound)
{
    return (uint32_t)((lots_draw(state) >> 32) * bound >> 32);
}
