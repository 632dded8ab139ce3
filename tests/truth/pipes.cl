/*
 * kernel:  pipes
 * purpose: rings of two places between groups, with counters for what was put and what was taken
 * needs:   all groups resident together
 * fails:   two groups that both put three things first; one that takes too few
 * source:  Reed and Kanodia, CACM 1979 (event counts)
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  way = line | crossed | few
 * param:   ms = 50 in 0..60000  how long a group computes
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   (2*groups+2)*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * line: each group passes six things on to the next one; the last one computes for each. crossed: the first two groups
 * each put three things into the other's ring before they take any. few: group 1 takes two of six things.
 */
#include "leader.h"

#define PUT(ring) word_at(self, 2 * (ring))
#define TAKEN(ring) word_at(self, 2 * (ring) + 1)
#define PLACES 2u
#define THINGS 6u

static bool put(struct gl_self *self, uint ring, uint i, uint taker)
{
    if (i >= PLACES && !gl_wait(self, TAKEN(ring), i + 1 - PLACES, taker))
        return false;
    gl_add(self->board + PUT(ring), 1);
    return true;
}

static bool take(struct gl_self *self, uint ring, uint i, uint giver)
{
    if (!gl_wait(self, PUT(ring), i + 1, giver))
        return false;
    gl_add(self->board + TAKEN(ring), 1);
    return true;
}

#if defined(WAY_CROSSED)

static void act(struct gl_self *self, global uint *sum)
{
    const uint mate = 1 - self->group;

    if (self->group > 1 || self->groups == 1)
        return;
    if (self->group == 1)
        busy_ms(self, sum, gl_own(self, PARAM_MS));
    for (uint i = 0; i < 3; ++i)
        if (!put(self, mate, i, mate))
            return;
    for (uint i = 0; i < 3; ++i)
        if (!take(self, self->group, i, mate))
            return;
}

#else

static void act(struct gl_self *self, global uint *sum)
{
    const bool last = self->group + 1 == self->groups;
#if defined(WAY_FEW)
    const uint things = self->group == 1 ? 2 : self->group > 1 ? 0 : THINGS;
#else
    const uint things = THINGS;
#endif

    for (uint i = 0; i < things; ++i) {
        if (self->group > 0 && !take(self, self->group, i, self->group - 1))
            return;
        if (last)
            busy_ms(self, sum, gl_own(self, PARAM_MS));
#if defined(WAY_FEW)
        if (self->group == 1)
            continue;
#endif
        if (!last && !put(self, self->group + 1, i, self->group + 1))
            return;
    }
}

#endif

GL_KERNEL void pipes(global uint *board, global uint *sums)
{
    local uint leaving;

    leaders_act(board, sums, &leaving);
}
