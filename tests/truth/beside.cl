/*
 * kernel:  beside
 * purpose: a group that waits for the host, tries, or computes, beside two that wait for each other, or for it
 * needs:   in the way needs, that the one that is busy goes on
 * fails:   with the ways host, tries and busy, always: two groups wait for each other, whatever the third one does
 * source:  gridlock
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  way = host | tries | busy | needs
 * param:   ms = 300 in 0..60000  how long the first group computes
 * param:   polls = 1000 in 1..1000000000  of a try
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   4*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * Groups 1 and 2 each wait for the other's flag, which it sets behind its own wait. needs: group 2 waits for group 0
 * instead. The others end. host: group 0 waits for the host; tries: it looks for a flag of group 1 until it gives up.
 */
#include "leader.h"

static void act(struct gl_self *self, global uint *sum)
{
    const uint self_flag = word_at(self, self->group % 4);

    if (self->group > 2)
        return;
    if (self->group == 0) {
#if defined(WAY_HOST)
        if (self->groups > 2)
            gl_wait(self, self_flag, 1, GL_GROUP_HOST);
#elif defined(WAY_TRIES)
        gl_try_until(self, word_at(self, 1), GL_UNTIL_REACHED, 1, gl_own(self, PARAM_POLLS));
#else
        busy_ms(self, sum, gl_own(self, PARAM_MS));
        gl_release(self->board + self_flag, 1);
#endif
        return;
    }
    if (self->groups < 3)
        return;
#if defined(WAY_NEEDS)
    const uint whom = self->group == 1 ? 2 : 0;
#else
    const uint whom = 3 - self->group;
#endif
    if (gl_wait(self, word_at(self, whom), 1, whom))
        gl_release(self->board + self_flag, 1);
}

GL_KERNEL void beside(global uint *board, global uint *sums)
{
    local uint leaving;

    leaders_act(board, sums, &leaving);
}
