/*
 * kernel:  queues
 * purpose: locks whose waiters queue, each at a word of its own
 * needs:   a group that holds the lock, or is about to queue, runs on (OBE)
 * fails:   with a fault the first one ends with the lock
 * source:  Mellor-Crummey and Scott, ACM TOCS 1991 (mcs); Craig, TR 93-02-02, University of Washington 1993 (clh)
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  way = mcs | clh
 * option:  fault = none | lost
 * param:   ms = 50 in 0..60000  how long a group computes
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   (2*groups+2)*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * Each group has one turn. Fault lost: group 0 is the first, and ends when another one has queued behind it.
 */
#include "leader.h"

#define TAIL word_at(self, 0)
#define BEGUN word_at(self, 1)
#define LINK(group) word_at(self, 2 + (group))
#define GRANT(group) word_at(self, 2 + self->groups + (group))

#if defined(WAY_MCS)

static bool lock(struct gl_self *self)
{
    const uint before = gl_exchange(self->board + TAIL, self->group + 1);

    if (before == 0)
        return true;
    gl_release(self->board + LINK(before - 1), self->group + 1);
    return gl_wait(self, GRANT(self->group), 1, before - 1);
}

/* The next one may have entered its name in the tail, and not yet in the link. */
static bool is_linked(struct gl_self *self)
{
    return gl_wait_until(self, LINK(self->group), GL_UNTIL_DIFFERENT, 0, GL_GROUP_ANY);
}

static void unlock(struct gl_self *self)
{
    if (gl_compare_exchange(self->board + TAIL, self->group + 1, 0) == self->group + 1 || !is_linked(self))
        return;
    gl_release(self->board + GRANT(gl_load(self->board + LINK(self->group)) - 1), 1);
}

#else

/* A group's node is 1 until its turn is over; who comes next waits at it. */
static bool lock(struct gl_self *self)
{
    gl_release(self->board + GRANT(self->group), 1);
    const uint before = gl_exchange(self->board + TAIL, self->group + 1);
    if (before == 0)
        return true;
    gl_release(self->board + LINK(before - 1), self->group + 1);
    return gl_wait_until(self, GRANT(before - 1), GL_UNTIL_EQUAL, 0, before - 1);
}

static bool is_linked(struct gl_self *self)
{
    return gl_wait_until(self, LINK(self->group), GL_UNTIL_DIFFERENT, 0, GL_GROUP_ANY);
}

static void unlock(struct gl_self *self)
{
    gl_release(self->board + GRANT(self->group), 0);
}

#endif

static void act(struct gl_self *self, global uint *sum)
{
#if defined(FAULT_LOST)
    if (self->group != 0 && !gl_wait(self, BEGUN, 1, 0))
        return;
#endif
    if (!lock(self))
        return;
    gl_release(self->board + BEGUN, 1);
    busy_ms(self, sum, gl_own(self, PARAM_MS));
#if defined(FAULT_LOST)
    if (self->group == 0 && self->groups > 1) {
        is_linked(self);
        return;
    }
#endif
    unlock(self);
}

GL_KERNEL void queues(global uint *board, global uint *sums)
{
    local uint leaving;

    leaders_act(board, sums, &leaving);
}
