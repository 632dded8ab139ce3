/*
 * kernel:  early_return
 * purpose: one group computes and leaves, and the others go on to the next barrier
 * needs:   all groups resident together, and none that leaves before a barrier at which it is counted
 * fails:   the others wait for a group that is gone
 * source:  gridlock
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  way = counted | leave | return
 * option:  named = all | id
 * param:   who = 0 in 0..100  which group leaves, in % of the ids
 * param:   ms = 0 in 0..60000  how long it computes before
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * It leaves before the second barrier of three. counted: it adds what it would have added later, so nobody waits for
 * it;
 * leave: it ends as a group should; return: it returns, and has not said that it ends.
 */
#include "busy.h"

static void meet(struct gl_self *self, uint round, uint who)
{
    const uint counter = gl_sync(self, 0);
    gl_round(self, round);
    gl_add(self->board + counter, 1);
#if defined(NAMED_ID)
    gl_wait(self, counter, round * self->groups, who == self->group ? GL_GROUP_ALL : who);
#else
    gl_wait(self, counter, round * self->groups, GL_GROUP_ALL);
#endif
}

GL_KERNEL void early_return(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint who = (self.groups - 1) * gl_own(&self, PARAM_WHO) / 100;
    for (uint round = 1; round <= 3; ++round) {
        if (round == 2 && self.group == who) {
            if (self.leader)
                busy_ms(&self, sums + self.group, gl_own(&self, PARAM_MS));
#if defined(WAY_RETURN)
            return;
#elif defined(WAY_COUNTED)
            if (self.leader)
                gl_add(board + gl_sync(&self, 0), 2);
#endif
            break;
        }
        gl_gather(&self);
        if (self.leader)
            meet(&self, round, who);
        if (!gl_proceed(&self))
            return;
    }
    busy_end(&self);
}
