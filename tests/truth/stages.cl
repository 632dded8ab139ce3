/*
 * kernel:  stages
 * purpose: a pipeline: each group computes when the one before it has, and hands its result on
 * needs:   the group with the lowest id gets its turn (HSA)
 * fails:   with a fault a result is not handed on
 * source:  gridlock
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  round = said | unsaid
 * option:  fault = none | lost | swapped
 * param:   ms = 100 in 0..60000  how long all of them compute together
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   groups*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * Faults: lost: the group in the middle computes and ends, without handing on; swapped: group 0 waits for the last one.
 */
#include "busy.h"

static bool await_result(struct gl_self *self)
{
    if (self->group > 0)
        return gl_wait(self, gl_sync(self, (self->group - 1) * GL_LINE), 1, self->group - 1);
#if defined(FAULT_SWAPPED)
    if (self->groups > 1)
        return gl_wait(self, gl_sync(self, (self->groups - 1) * GL_LINE), 1, self->groups - 1);
#endif
    return true;
}

static void run_stage(struct gl_self *self, global uint *sum)
{
#if defined(ROUND_SAID)
    gl_round(self, 1);
#endif
    if (!await_result(self))
        return;
    busy_us(self, sum, gl_own(self, PARAM_MS) * 1000 / self->groups);
#if defined(FAULT_LOST)
    if (self->group == (self->groups - 1) / 2)
        return;
#endif
    gl_release(self->board + gl_sync(self, self->group * GL_LINE), 1);
}

GL_KERNEL void stages(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    gl_gather(&self);
    if (self.leader)
        run_stage(&self, sums + self.group);
    if (!gl_proceed(&self))
        return;
    busy_end(&self);
}
