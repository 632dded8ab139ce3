/*
 * Pairs of groups, by option `pairing`:
 *
 *   PAIRING_ADJACENT  0 and 1, 2 and 3 ...
 *   PAIRING_CHUNKED   0 and n/2, 1 and n/2 + 1 ...
 *   PAIRING_RANDOM    neighbours after a shuffle, which each group computes for itself from the launch's seed
 *
 * With an odd number of groups one of them has no partner.
 */
#ifndef GRIDLOCK_HANDOVER_PAIRS_H
#define GRIDLOCK_HANDOVER_PAIRS_H

#include "group.h"

/*
 * A permutation of 0 ... 4^bits - 1: a Feistel network of four rounds. Run with its keys in reverse order
 * it undoes itself.
 */
static uint pairs_scatter(uint x, uint bits, uint seed, bool undo)
{
    const uint mask = (1u << bits) - 1;
    uint left = x >> bits;
    uint right = x & mask;

    for (uint i = 0; i < 4; ++i) {
        const uint key = seed * 4 + (undo ? 3 - i : i);
        const uint mixed = left ^ (gl_hash(right + gl_hash(key)) & mask);
        left = right;
        right = mixed;
    }
    return right << bits | left;
}

/* A permutation of the groups' ids, or its inverse. What falls outside is scattered again: its cycle leads back. */
static uint pairs_shuffle(const struct gl_self *self, uint id, bool undo)
{
    const uint seed = gl_parameter(self->board, GL_SEED);
    uint bits = 0;

    while (bits < 15 && 1u << (2 * bits) < self->groups)
        ++bits;
    do
        id = pairs_scatter(id, bits, seed, undo);
    while (id >= self->groups);
    return id;
}

/* The other group of this group's pair, or GL_GROUP_NOBODY. */
static uint pairs_partner(const struct gl_self *self)
{
#if defined(PAIRING_CHUNKED)
    const uint pairs = self->groups / 2;
    if (self->group >= 2 * pairs)
        return GL_GROUP_NOBODY;
    return self->group < pairs ? self->group + pairs : self->group - pairs;
#elif defined(PAIRING_RANDOM)
    const uint place = pairs_shuffle(self, self->group, true) ^ 1;
    return place < self->groups ? pairs_shuffle(self, place, false) : GL_GROUP_NOBODY;
#else
    const uint other = self->group ^ 1;
    return other < self->groups ? other : GL_GROUP_NOBODY;
#endif
}

#endif
