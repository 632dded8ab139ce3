/*
 * kernel:  retry
 * purpose: groups take a lock each, fail to get their neighbour's, give back, pause, and try again, all in step
 * needs:   it never works while they stay in step
 * fails:   all take, all fail, all give back: nobody waits for long, and nobody gets on
 * source:  gridlock
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  said = no | steps
 * option:  pause = all | one
 * param:   ms = 0 in 0..60000  how long the pause is
 * param:   tries = 0 in 0..1000000  after so many tries each in its turn takes both; 0: never
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   (groups+2)*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * pause = one: the first group alone pauses, and the others wait for it. said = steps: each try is a step. When the
 * tries are spent group 0 goes first, then group 1, and so on.
 */
#include "busy.h"

/* All groups have done what they do now. */
static bool in_step(struct gl_self *self, uint *act)
{
    const uint acts = gl_sync(self, self->groups * GL_LINE);
    *act += 1;
    gl_add(self->board + acts, 1);
    return gl_wait(self, acts, *act * self->groups, GL_GROUP_ALL);
}

static bool try_fork(struct gl_self *self, uint fork)
{
    return gl_compare_exchange(self->board + gl_sync(self, fork * GL_LINE), 0, self->group + 1) == 0;
}

static void give(struct gl_self *self, uint fork, uint held)
{
    gl_holds(self, held);
    gl_release(self->board + gl_sync(self, fork * GL_LINE), 0);
}

/* One try, in three acts. False: the launch is to end. */
static bool try_both(struct gl_self *self, global uint *sum, uint *act, bool *got)
{
    const uint right = (self->group + 1) % self->groups;
    const bool left = try_fork(self, self->group);
    gl_holds(self, left);
    if (!in_step(self, act))
        return false;
    *got = left && try_fork(self, right);
    if (*got) {
        give(self, right, 1);
        give(self, self->group, 0);
        return true;
    }
    if (!in_step(self, act))
        return false;
    if (left)
        give(self, self->group, 0);
#if defined(PAUSE_ONE)
    if (self->group == 0)
#endif
        busy_ms(self, sum, gl_own(self, PARAM_MS));
    return in_step(self, act);
}

static void try_on(struct gl_self *self, global uint *sum)
{
    const uint tries = gl_own(self, PARAM_TRIES);
    uint act = 0;
    bool got = self->groups == 1;

    for (uint i = 0; !got && (tries == 0 || i < tries); ++i) {
        if (!try_both(self, sum, &act, &got))
            return;
#if defined(SAID_STEPS)
        gl_step(self);
#endif
    }
    const uint turn = gl_sync(self, (self->groups + 1) * GL_LINE);
    if (self->group > 0 && !gl_wait(self, turn, self->group, self->group - 1))
        return;
    gl_add(self->board + turn, 1);
}

GL_KERNEL void retry(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    gl_gather(&self);
    if (self.leader)
        try_on(&self, sums + self.group);
    if (!gl_proceed(&self))
        return;
    busy_end(&self);
}
