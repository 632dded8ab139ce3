/*
 * kernel:  once
 * purpose: one group does for all what must be done once; a group with a lock that another one should have
 * needs:   a group that has started runs on (OBE)
 * fails:   a group that waits for one that waits for it
 * source:  Schmidt and Harrison, PLoP 1996 (double-checked locking); Lampson and Redell, CACM 1980 (priorities)
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  way = init | recursive | low | inverted
 * param:   ms = 50 in 0..60000  how long a group computes
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   6*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * init: who comes first computes, and the others wait for it, by the id that it left. recursive: group 0 comes first,
 * and waits for the last group, which waits for it. low: group 0 has a lock, the last group wants it, and the others
 * compute. inverted: group 0 lets the last group go first, and has the lock.
 */
#include "leader.h"

#define CLAIM word_at(self, 0)
#define READY word_at(self, 1)
#define LOCK word_at(self, 2)
#define BEGUN word_at(self, 3)
#define HIGH word_at(self, 4)

#if defined(WAY_INIT) || defined(WAY_RECURSIVE)

static void act(struct gl_self *self, global uint *sum)
{
    const uint last = self->groups - 1;

#if defined(WAY_RECURSIVE)
    if (self->group != 0 && !gl_wait(self, CLAIM, 1, 0))
        return;
#endif
    if (gl_load(self->board + READY) != 0)
        return;
    const uint first = gl_compare_exchange(self->board + CLAIM, 0, self->group + 1);
    if (first != 0) {
        if (gl_wait(self, READY, 1, first - 1) && self->group == last)
            gl_release(self->board + HIGH, 1);
        return;
    }
    busy_ms(self, sum, gl_own(self, PARAM_MS));
#if defined(WAY_RECURSIVE)
    if (last > 0 && !gl_wait(self, HIGH, 1, last))
        return;
#endif
    gl_release(self->board + READY, 1);
}

#else

static void low(struct gl_self *self, global uint *sum)
{
    const uint lock = LOCK;

    gl_store(self->board + lock, 1);
    gl_takes(self, lock);
    gl_release(self->board + BEGUN, 1);
    busy_ms(self, sum, gl_own(self, PARAM_MS));
#if defined(WAY_INVERTED)
    if (!gl_wait(self, HIGH, 1, self->groups - 1))
        return;
#endif
    gl_drops(self, lock);
    gl_release(self->board + lock, 0);
}

static void act(struct gl_self *self, global uint *sum)
{
    const uint lock = LOCK;

    if (self->groups == 1)
        return;
    if (self->group == 0) {
        low(self, sum);
        return;
    }
    if (self->group + 1 < self->groups) {
        busy_ms(self, sum, 4 * gl_own(self, PARAM_MS));
        return;
    }
    if (!gl_wait(self, BEGUN, 1, 0) || !gl_wait_lock(self, lock, GL_UNTIL_EQUAL, 0, lock))
        return;
    gl_release(self->board + HIGH, 1);
}

#endif

GL_KERNEL void once(global uint *board, global uint *sums)
{
    local uint leaving;

    leaders_act(board, sums, &leaving);
}
