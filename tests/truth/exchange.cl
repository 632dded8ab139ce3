/*
 * kernel:  exchange
 * purpose: pairs of groups meet: who comes first makes an offer, and takes it back after a while
 * needs:   started groups run on (OBE)
 * fails:   with the way stays, if their number is odd: one has no partner
 * source:  Scherer, Lea and Scott, A scalable elimination-based exchange channel (SCOOL 2005)
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  way = leaves | stays
 * param:   ms = 0 in 0..60000  how long each second one computes before it comes
 * param:   tries = 3 in 1..1000  offers
 * param:   polls = 20000 in 1..1000000000  of an offer
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * One place for all: 0 is empty, id + 1 an offer, TAKEN an offer that was taken, which its maker clears. leaves: who
 * found no partner ends without one. stays: its last offer has no end.
 */
#include "leader.h"

#define TAKEN 0x80000000u

/* An offer of this group stands; returns whether the group is done. */
static bool stand(struct gl_self *self, uint place, bool is_last)
{
    const uint mine = self->group + 1;

#if defined(WAY_STAYS)
    if (is_last) {
        if (gl_wait_until(self, place, GL_UNTIL_EQUAL, TAKEN | mine, GL_GROUP_ANY))
            gl_release(self->board + place, 0);
        return true;
    }
#else
    (void)is_last;
#endif
    const uint tried = gl_try_until(self, place, GL_UNTIL_EQUAL, TAKEN | mine, gl_own(self, PARAM_POLLS));
    if (tried == GL_TRY_STOPPED)
        return true;
    if (tried == GL_TRY_GAVE_UP && gl_compare_exchange(self->board + place, mine, 0) == mine)
        return false;
    gl_release(self->board + place, 0);
    return true;
}

static void act(struct gl_self *self, global uint *sum)
{
    const uint place = word_at(self, 0), tries = gl_own(self, PARAM_TRIES);
    uint offers = 0;

    if (self->group % 2 == 1)
        busy_ms(self, sum, gl_own(self, PARAM_MS));
    while (gl_load(self->board + GL_STOP) == 0 && offers < tries) {
        const uint seen = gl_compare_exchange(self->board + place, 0, self->group + 1);
        if (seen == 0 && stand(self, place, ++offers == tries))
            return;
        if (seen != 0 && (seen & TAKEN) == 0 && gl_compare_exchange(self->board + place, seen, seen | TAKEN) == seen)
            return;
    }
}

GL_KERNEL void exchange(global uint *board, global uint *sums)
{
    local uint leaving;

    leaders_act(board, sums, &leaving);
}
