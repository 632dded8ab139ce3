/*
 * kernel:  nobody_waits
 * purpose: groups compute, and none of them waits for another one
 * needs:   nothing
 * fails:   it cannot
 * source:  gridlock
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  parts = one | barriers
 * param:   who = 0 in 0..101  which group computes, in % of the ids; 101: each of them
 * param:   ms = 100 in 0..60000  how long
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   1
 * data:    sums uint groups*local-size zero
 * checks:  groups
 *
 * parts = barriers: in four parts, between which the work-items of the group wait for each other.
 */
#include "busy.h"

GL_KERNEL void nobody_waits(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint us = gl_own(&self, PARAM_MS) * 1000;
    global uint *sum = sums + self.group * GL_LOCAL_SIZE + get_local_id(0);
    if (busy_is_chosen(&self, gl_own(&self, PARAM_WHO))) {
#if defined(PARTS_BARRIERS)
        for (uint part = 0; part < 4; ++part) {
            if (self.leader)
                busy_us(&self, sum, us / 4);
            barrier(CLK_GLOBAL_MEM_FENCE);
        }
#else
        if (self.leader)
            busy_us(&self, sum, us);
#endif
    }
    busy_end(&self);
}
