/*
 * kernel:  late_start
 * purpose: all wait for a group that may start only when group 0, which computes, has ended
 * needs:   leaves: a place that is left is given to another group; waits: all groups resident together
 * fails:   waits: group 0 keeps the place that the awaited group would need
 * source:  gridlock
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  end = leaves | waits
 * option:  named = id | any | all
 * param:   late = 1 in 1..1048576  the group that is waited for
 * param:   ms = 100 in 0..60000  how long group 0 computes
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * A CPU driver deals out chunks of ids: above the resident limit group 1 comes after group 0, on the same thread.
 */
#include "busy.h"

static void await_late(struct gl_self *self, uint late)
{
#if defined(NAMED_ANY)
    late = GL_GROUP_ANY;
#elif defined(NAMED_ALL)
    gl_round(self, 1);
    late = GL_GROUP_ALL;
#endif
    gl_wait(self, gl_sync(self, 0), 1, late);
}

static void take_part(struct gl_self *self, global uint *sum, uint late)
{
    if (self->group == late) {
        gl_release(self->board + gl_sync(self, 0), 1);
        return;
    }
    if (self->group == 0) {
        busy_ms(self, sum, gl_own(self, PARAM_MS));
#if defined(END_LEAVES)
        return;
#endif
    }
    await_late(self, late);
}

GL_KERNEL void late_start(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    gl_gather(&self);
    if (self.leader && self.groups > 1)
        take_part(&self, sums + self.group, min(gl_own(&self, PARAM_LATE), self.groups - 1));
    if (!gl_proceed(&self))
        return;
    busy_end(&self);
}
