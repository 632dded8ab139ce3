/*
 * kernel:  many_locks
 * purpose: the first group holds many locks, more than it may be able to name, and the last group waits for one of them
 * needs:   chain: a group that holds a lock runs on (OBE); circle: it never works
 * fails:   circle: the first group waits for the lock of the last one meanwhile
 * source:  gridlock
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  kind = owner | ticket | named
 * option:  end = chain | circle
 * param:   locks = 8 in 1..8  that the first group holds
 * param:   which = 0 in 0..7  the lock for which the last group waits
 * param:   dropped = 0 in 0..7  locks, from number 0 on, that the first group has already given back
 * param:   ms = 100 in 0..60000  how long the first group computes then
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   20*line
 * data:    sums uint groups zero
 * checks:  groups
 */
#include "locks.h"

#define MOST 8u
#define READY (18u * GL_LINE)

static bool both_are_ready(struct gl_self *self, uint other)
{
    gl_add(self->board + gl_sync(self, READY), 1);
    return gl_wait(self, gl_sync(self, READY), 2, other);
}

static void hold_many(struct gl_self *self, global uint *sum)
{
    const uint locks = gl_own(self, PARAM_LOCKS);
    const uint dropped = gl_own(self, PARAM_DROPPED);
    struct lock held[MOST];

    for (uint i = 0; i < locks; ++i) {
        held[i] = lock_at(self, i);
        if (!lock_take(self, &held[i], i + 1))
            return;
    }
    for (uint i = 0; i < dropped; ++i)
        lock_drop(self, &held[i], locks - i - 1);
    if (!both_are_ready(self, self->groups - 1))
        return;
    busy_ms(self, sum, gl_own(self, PARAM_MS));
#if defined(END_CIRCLE)
    struct lock last = lock_at(self, MOST);
    if (!lock_take(self, &last, locks - dropped + 1))
        return;
    lock_drop(self, &last, locks - dropped);
#endif
    for (uint i = dropped; i < locks; ++i)
        lock_drop(self, &held[i], locks - i - 1);
}

static void hold_one(struct gl_self *self)
{
    struct lock last = lock_at(self, MOST);
    struct lock wanted = lock_at(self, gl_own(self, PARAM_WHICH));

    if (!lock_take(self, &last, 1) || !both_are_ready(self, 0) || !lock_take(self, &wanted, 2))
        return;
    lock_drop(self, &wanted, 1);
    lock_drop(self, &last, 0);
}

GL_KERNEL void many_locks(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    gl_gather(&self);
    if (self.leader && self.groups > 1) {
        if (self.group == 0)
            hold_many(&self, sums);
        else if (self.group == self.groups - 1)
            hold_one(&self);
    }
    if (!gl_proceed(&self))
        return;
    busy_end(&self);
}
