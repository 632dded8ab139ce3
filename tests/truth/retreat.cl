/*
 * kernel:  retreat
 * purpose: groups that give up a wait, take back what they offered, and try again
 * needs:   groups that have started run on (OBE)
 * fails:   with a fault the one who would answer has ended
 * source:  Scherer, Lea and Scott, PPoPP 2006 (exchange with a time limit); Scott, PODC 2002 (locks with one)
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  way = lock | offer | own
 * option:  fault = none | gone
 * param:   polls = 200000 in 1..1000000000  of a try
 * param:   ms = 50 in 0..60000  how long a group computes
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   (groups+4)*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * lock: group 0 has a lock; the others try for it, pause when they gave up, and try again. offer: the second of each
 * two groups makes an offer, and takes it back if it was not answered; the first one computes, and waits for an offer.
 * own: the same in one loop of its own, which is for the board a wait that the group is in throughout. Fault gone:
 * group 0 ends, with the lock, or without an answer, and its mate gives up for good after three tries.
 */
#include "leader.h"

#define LOCK word_at(self, 0)
#define BEGUN word_at(self, 1)
#define OFFER(pair) word_at(self, 2 + (pair))
#define NONE 0u
#define OFFERED 1u
#define ANSWERED 2u

#if defined(WAY_LOCK)

static void act(struct gl_self *self, global uint *sum)
{
    uint tries = 0;

    if (self->group == 0) {
        gl_store(self->board + LOCK, 1);
        gl_holds(self, 1);
        gl_release(self->board + BEGUN, 1);
        busy_ms(self, sum, gl_own(self, PARAM_MS));
#if defined(FAULT_NONE)
        gl_holds(self, 0);
        gl_release(self->board + LOCK, 0);
#endif
        return;
    }
    if (!gl_wait(self, BEGUN, 1, 0))
        return;
    for (;;) {
        const uint tried = gl_try_until(self, LOCK, GL_UNTIL_EQUAL, 0, gl_own(self, PARAM_POLLS));
        if (tried == GL_TRY_STOPPED)
            return;
        if (tried == GL_TRY_HELD && gl_compare_exchange(self->board + LOCK, 0, self->group + 1) == 0)
            break;
#if defined(FAULT_GONE)
        if (++tries == 3)
            return;
#endif
        busy_ms(self, sum, 5);
    }
    gl_holds(self, 1);
    gl_holds(self, 0);
    gl_release(self->board + LOCK, 0);
}

#else

#if defined(WAY_OFFER)
static void offer(struct gl_self *self, uint at)
{
    for (uint tries = 0;; ++tries) {
        gl_release(self->board + at, OFFERED);
        const uint tried = gl_try_until(self, at, GL_UNTIL_EQUAL, ANSWERED, gl_own(self, PARAM_POLLS));
        if (tried != GL_TRY_GAVE_UP || gl_compare_exchange(self->board + at, OFFERED, NONE) != OFFERED)
            return;
#if defined(FAULT_GONE)
        if (tries == 3)
            return;
#endif
    }
}
#else
/* Half of so many turns it makes no offer, and half of them it does. */
static void offer(struct gl_self *self, uint at)
{
    const uint polls = gl_own(self, PARAM_POLLS);
    struct gl_spin spin;
    uint seen, turns = 0;

    gl_spin_begin(self, &spin, at, GL_UNTIL_EQUAL, ANSWERED, self->group - 1);
    do {
        gl_spin_look(self, &spin);
        seen = gl_load(self->board + at);
        if (turns % polls == polls / 2 && seen == NONE)
            gl_release(self->board + at, OFFERED);
        else if (turns % polls == 0 && seen == OFFERED)
            gl_compare_exchange(self->board + at, OFFERED, NONE);
        ++turns;
    } while (gl_spin_goes_on(self, &spin, seen));
    gl_spin_end(self, &spin);
}
#endif

static void act(struct gl_self *self, global uint *sum)
{
    const uint at = OFFER(self->group / 2);

    if (self->group % 2 != 0) {
        offer(self, at);
        return;
    }
    if (self->group + 1 == self->groups)
        return;
    busy_ms(self, sum, gl_own(self, PARAM_MS));
#if defined(FAULT_GONE)
    return;
#endif
    do
        if (!gl_wait_until(self, at, GL_UNTIL_EQUAL, OFFERED, self->group + 1))
            return;
    while (gl_compare_exchange(self->board + at, OFFERED, ANSWERED) != OFFERED);
}

#endif

GL_KERNEL void retreat(global uint *board, global uint *sums)
{
    local uint leaving;

    leaders_act(board, sums, &leaving);
}
