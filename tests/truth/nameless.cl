/*
 * kernel:  nameless
 * purpose: a lock of which nobody says who has it
 * needs:   started groups run on (OBE)
 * fails:   with the ways kept and left, for the lock is not given back
 * source:  gridlock
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  way = other | kept | left | late
 * param:   ms = 0 in 0..60000  how long somebody computes before the lock is given back
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   4*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * Group 0 takes the lock before the others want it. other: the last group gives it back, without having it. kept:
 * group 0 ends and nobody does. left: group 0 waits for the last group, which wants the lock. late: group 0 computes
 * twice, and gives it back between a flag and that.
 */
#include "leader.h"

#define LOCK 0u
#define TAKEN 1u
#define DONE 2u

static void act(struct gl_self *self, global uint *sum)
{
    const uint last = self->groups - 1, lock = word_at(self, LOCK), taken = word_at(self, TAKEN);

    if (self->group == 0) {
        gl_store(self->board + lock, 1);
        gl_release(self->board + taken, 1);
#if defined(WAY_LEFT)
        if (last != 0 && !gl_wait(self, word_at(self, DONE), 1, last))
            return;
#endif
#if defined(WAY_LATE)
        busy_ms(self, sum, gl_own(self, PARAM_MS));
        gl_release(self->board + lock, 0);
        busy_ms(self, sum, gl_own(self, PARAM_MS));
        gl_release(self->board + word_at(self, DONE), 1);
#endif
        return;
    }
    if (!gl_wait(self, taken, 1, 0))
        return;
#if defined(WAY_OTHER)
    if (self->group == last) {
        busy_ms(self, sum, gl_own(self, PARAM_MS));
        gl_release(self->board + lock, 0);
        return;
    }
#endif
    if (!gl_wait_until(self, lock, GL_UNTIL_EQUAL, 0, GL_GROUP_ANY))
        return;
#if defined(WAY_LATE)
    gl_wait(self, word_at(self, DONE), 1, GL_GROUP_ANY);
#else
    if (self->group == last)
        gl_release(self->board + word_at(self, DONE), 1);
#endif
}

GL_KERNEL void nameless(global uint *board, global uint *sums)
{
    local uint leaving;

    leaders_act(board, sums, &leaving);
}
