/*
 * kernel:  pairs
 * purpose: each group needs two of as many permits as there are groups
 * needs:   a group that holds permits runs on (OBE)
 * fails:   if each takes one first, nobody gets a second
 * source:  Dijkstra, EWD 123, 1965
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  way = both | one
 * param:   ms = 50 in 0..60000  how long a group computes
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   3*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * both: a group takes two at once. one: it takes one, waits until each group has one, and then wants another.
 */
#include "leader.h"

#define USED word_at(self, 0)
#define HAVE_ONE word_at(self, 1)

static bool take(struct gl_self *self, uint count)
{
    global uint *used = self->board + USED;
    struct gl_spin spin;
    uint seen;

    gl_spin_begin(self, &spin, USED, GL_UNTIL_EQUAL, NEVER, GL_GROUP_HOLDER);
    do {
        gl_spin_look(self, &spin);
        seen = gl_load(used);
        if (seen + count <= self->groups && gl_compare_exchange(used, seen, seen + count) == seen)
            seen = NEVER;
    } while (gl_spin_goes_on(self, &spin, seen));
    if (!gl_spin_end(self, &spin))
        return false;
    gl_holds(self, self->locks + count);
    return true;
}

static void act(struct gl_self *self, global uint *sum)
{
    if (self->groups == 1)
        return;
#if defined(WAY_ONE)
    if (!take(self, 1))
        return;
    gl_add(self->board + HAVE_ONE, 1);
    if (!gl_wait(self, HAVE_ONE, self->groups, GL_GROUP_ALL) || !take(self, 1))
        return;
#else
    if (!take(self, 2))
        return;
#endif
    busy_ms(self, sum, gl_own(self, PARAM_MS));
    gl_holds(self, 0);
    gl_fence();
    gl_add(self->board + USED, -2u);
}

GL_KERNEL void pairs(global uint *board, global uint *sums)
{
    local uint leaving;

    leaders_act(board, sums, &leaving);
}
