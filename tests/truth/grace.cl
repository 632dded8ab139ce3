/*
 * kernel:  grace
 * purpose: readers that no lock holds back, and a writer that waits until they have left what it takes away
 * needs:   all groups resident together
 * fails:   a reader that waits for the writer while it reads makes a circle
 * source:  McKenney and Slingwine, PDCS 1998 (read-copy update); Michael, IEEE TPDS 2004 (hazard pointers)
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  way = epoch | hazard
 * option:  fault = none | inside | through
 * param:   ms = 50 in 0..60000  how long a group computes
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   (groups+4)*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * Group 0 writes, the others read. epoch: a reader's word is odd while it reads; hazard: it holds what is read. The
 * writer waits until each word of a reader that was reading has changed. Faults: group 1 waits, while it reads, for the
 * writer (inside), or for the last group, which waits for the writer (through).
 */
#include "leader.h"

#define READING(group) word_at(self, group)
#define ENTERED word_at(self, self->groups)
#define WRITTEN word_at(self, self->groups + 1)
#define THROUGH word_at(self, self->groups + 2)
#define NODE 7u

static void read_one(struct gl_self *self, global uint *sum, uint i)
{
    global uint *mine = self->board + READING(self->group);
    const uint last = self->groups - 1;
    bool goes_on = true;

#if defined(WAY_EPOCH)
    gl_release(mine, 2 * i + 1);
#else
    gl_release(mine, NODE);
#endif
    if (i == 0)
        gl_add(self->board + ENTERED, 1);
    busy_ms(self, sum, gl_own(self, PARAM_MS));
#if defined(FAULT_INSIDE)
    if (self->group == 1)
        goes_on = gl_wait(self, WRITTEN, 1, 0);
#elif defined(FAULT_THROUGH)
    if (self->group == 1)
        goes_on = last == 1 ? gl_wait(self, WRITTEN, 1, 0) : gl_wait(self, THROUGH, 1, last);
#endif
    if (!goes_on)
        return;
#if defined(WAY_EPOCH)
    gl_release(mine, 2 * i + 2);
#else
    gl_release(mine, 0);
#endif
}

static void write_once(struct gl_self *self)
{
    if (!gl_wait(self, ENTERED, self->groups - 1, GL_GROUP_ANY))
        return;
    gl_fence();
    for (uint group = 1; group < self->groups; ++group) {
        const uint seen = gl_load(self->board + READING(group));
#if defined(WAY_EPOCH)
        const bool reads = seen % 2 != 0;
#else
        const bool reads = seen == NODE;
#endif
        if (reads && !gl_wait_until(self, READING(group), GL_UNTIL_DIFFERENT, seen, group))
            return;
    }
    gl_release(self->board + WRITTEN, 1);
}

static void act(struct gl_self *self, global uint *sum)
{
    if (self->group == 0) {
        write_once(self);
        return;
    }
#if defined(FAULT_THROUGH)
    if (self->group > 1 && self->group == self->groups - 1) {
        gl_add(self->board + ENTERED, 1);
        if (gl_wait(self, WRITTEN, 1, 0))
            gl_release(self->board + THROUGH, 1);
        return;
    }
#endif
    for (uint i = 0; i < 3 && !self->left; ++i)
        read_one(self, sum, i);
}

GL_KERNEL void grace(global uint *board, global uint *sums)
{
    local uint leaving;

    leaders_act(board, sums, &leaving);
}
