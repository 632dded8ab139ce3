/*
 * kernel:  permits
 * purpose: a semaphore whose holders compute, or wait for a group that waits for a permit
 * needs:   one holder that gives its permit back
 * fails:   all holders wait for one that waits for them
 * source:  Reed and Kanodia, CACM 1979 (sequencers and event counts)
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  stuck = none | some | all
 * param:   permits = 2 in 1..1048576  groups that may be inside together
 * param:   ms = 100 in 0..60000  how long the first group computes while it holds one
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   3*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * Permits are given out in the order of the ids, so that it is certain who holds one. stuck = some: of the first
 * holders all but group 0 wait for the last group, which waits for a permit; all: group 0 does so, too, after it has
 * computed.
 */
#include "busy.h"

static bool waits_inside(const struct gl_self *self, uint permits)
{
    if (self->groups <= permits || self->group >= permits)
        return false;
#if defined(STUCK_ALL)
    return true;
#elif defined(STUCK_SOME)
    return self->group != 0;
#else
    return false;
#endif
}

static void use_permit(struct gl_self *self, global uint *sum)
{
    const uint permits = gl_own(self, PARAM_PERMITS);
    const uint returned = gl_sync(self, 0);
    const uint last = gl_sync(self, GL_LINE);

    if (self->group >= permits && !gl_wait(self, returned, self->group + 1 - permits, GL_GROUP_HOLDER))
        return;
    gl_holds(self, 1);
    if (self->group == self->groups - 1)
        gl_release(self->board + last, 1);
    if (self->group == 0)
        busy_ms(self, sum, gl_own(self, PARAM_MS));
    if (waits_inside(self, permits) && !gl_wait(self, last, 1, self->groups - 1))
        return;
    gl_holds(self, 0);
    gl_add(self->board + returned, 1);
}

GL_KERNEL void permits(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    gl_gather(&self);
    if (self.leader)
        use_permit(&self, sums + self.group);
    if (!gl_proceed(&self))
        return;
    busy_end(&self);
}
