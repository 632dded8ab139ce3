/*
 * kernel:  split
 * purpose: two barriers of which groups of even and of odd ids pass another one first
 * needs:   all groups resident together
 * fails:   above the resident limit; in the way whole always, for those of each kind wait for the others
 * source:  split-phase barriers, as in Gupta, The fuzzy barrier (ASPLOS 1989)
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  way = split | whole | tries
 * option:  said = yes | no
 * param:   ms = 0 in 0..60000  how long the last group computes before it comes
 * param:   polls = 20000 in 1..1000000000  of a try
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   4*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * split: a group arrives at both before it waits at either. whole: it arrives at its second one after its first one.
 * tries: the same, but groups of odd ids give up their first one, arrive at the second, and then wait at both.
 */
#include "leader.h"

static void arrive(struct gl_self *self, uint at, uint round)
{
    gl_add(self->board + word_at(self, at), 1);
#if defined(SAID_YES)
    gl_round(self, round);
#else
    (void)round;
#endif
}

static bool pass(struct gl_self *self, uint at)
{
    return gl_wait(self, word_at(self, at), self->groups, GL_GROUP_ALL);
}

static void act(struct gl_self *self, global uint *sum)
{
    const uint odd = self->group % 2;

    if (busy_is_chosen(self, 100))
        busy_ms(self, sum, gl_own(self, PARAM_MS));
    arrive(self, odd, 1);
#if defined(WAY_SPLIT)
    arrive(self, 1 - odd, 2);
    if (pass(self, odd))
        pass(self, 1 - odd);
#else
#if defined(WAY_TRIES)
    if (odd == 1) {
        if (gl_try_until(self, word_at(self, odd), GL_UNTIL_REACHED, self->groups, gl_own(self, PARAM_POLLS)) ==
            GL_TRY_STOPPED)
            return;
        arrive(self, 1 - odd, 2);
        if (pass(self, 1 - odd))
            pass(self, odd);
        return;
    }
#endif
    if (!pass(self, odd))
        return;
    arrive(self, 1 - odd, 2);
    pass(self, 1 - odd);
#endif
}

GL_KERNEL void split(global uint *board, global uint *sums)
{
    local uint leaving;

    leaders_act(board, sums, &leaving);
}
