/*
 * kernel:  hosts
 * purpose: a group that waits for the host, and others that wait for it
 * needs:   a host that answers
 * fails:   nobody knows whether it will
 * source:  gridlock
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  way = alone | circle
 * param:   ms = 50 in 0..60000  how long a group computes
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   4*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * Group 0 waits for the host. alone: the others compute and end. circle: the last group waits for group 0, and all
 * others wait for the last.
 */
#include "leader.h"

static void act(struct gl_self *self, global uint *sum)
{
    const uint last = self->groups - 1;

    if (self->group == 0) {
        if (gl_wait(self, word_at(self, 0), 1, GL_GROUP_HOST))
            gl_release(self->board + word_at(self, 1), 1);
        return;
    }
#if defined(WAY_CIRCLE)
    if (self->group == last) {
        if (gl_wait(self, word_at(self, 1), 1, 0))
            gl_release(self->board + word_at(self, 2), 1);
        return;
    }
    gl_wait(self, word_at(self, 2), 1, last);
#else
    busy_ms(self, sum, gl_own(self, PARAM_MS));
#endif
}

GL_KERNEL void hosts(global uint *board, global uint *sums)
{
    local uint leaving;

    leaders_act(board, sums, &leaving);
}
