/*
 * kernel:  own_loop
 * purpose: groups wait in loops of their own, of which they say nothing
 * needs:   flag: the first group gets its turn; lock: a group that holds it runs on (OBE)
 * fails:   with a fault they turn for ever, and look like groups that compute
 * source:  gridlock
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  waits = flag | lock
 * option:  fault = none | no-signal
 * param:   ms = 100 in 0..60000  how long the first group computes, before it sets the flag, or under the lock
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   2*line
 * data:    sums uint groups zero
 * checks:  groups
 */
#include "busy.h"

static void turn_until(struct gl_self *self, uint word, uint value)
{
    while (gl_load(self->board + word) != value && !busy_is_stopped(self))
        gl_yield();
    gl_fence();
}

static void take_part(struct gl_self *self, global uint *sum)
{
    const uint word = gl_sync(self, 0);
    const uint ms = self->group == 0 ? gl_own(self, PARAM_MS) : 0;
#if defined(WAITS_LOCK)
    while (gl_exchange(self->board + word, 1) != 0 && !busy_is_stopped(self))
        gl_yield();
    busy_ms(self, sum, ms);
#if defined(FAULT_NONE)
    gl_release(self->board + word, 0);
#endif
#else
    busy_ms(self, sum, ms);
    if (self->group != 0)
        turn_until(self, word, 1);
#if defined(FAULT_NONE)
    else
        gl_release(self->board + word, 1);
#endif
#endif
}

GL_KERNEL void own_loop(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    gl_gather(&self);
    if (self.leader)
        take_part(&self, sums + self.group);
    if (!gl_proceed(&self))
        return;
    busy_end(&self);
}
