/*
 * kernel:  backoff
 * purpose: a lock by test-and-set, where a group whose try failed pauses, longer each time, before it looks again
 * needs:   a group that holds the lock runs on (OBE)
 * fails:   with a fault for an unlock that never comes
 * source:  Anderson, IEEE TPDS 1990 (back-off)
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  fault = none | kept
 * param:   ms = 20 in 0..60000  how long each group computes while it holds the lock
 * param:   first = 1 in 0..60000  ms of the first pause
 * param:   most = 1000 in 0..60000  ms of the longest one
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * While a group pauses the lock may be free: the wait is over, and it does not know yet. Fault kept: group 0 is the
 * first to have the lock, and ends with it.
 */
#include "busy.h"

static uint try_lock(struct gl_self *self, global uint *sum, uint lock, uint *pause)
{
    const uint seen = gl_compare_exchange(self->board + lock, 0, self->group + 1);
    if (seen != 0) {
        busy_ms(self, sum, *pause);
        *pause = min(2 * *pause, gl_own(self, PARAM_MOST));
    }
    return seen;
}

static bool take(struct gl_self *self, global uint *sum, uint lock)
{
    struct gl_spin spin;
    uint pause = gl_own(self, PARAM_FIRST);
    uint seen;

    gl_spin_begin(self, &spin, lock, GL_UNTIL_EQUAL, 0, GL_GROUP_OWNER);
    do {
        gl_spin_look(self, &spin);
        seen = try_lock(self, sum, lock, &pause);
    } while (gl_spin_goes_on(self, &spin, seen));
    return gl_spin_end(self, &spin);
}

static void take_a_turn(struct gl_self *self, global uint *sum)
{
    const uint lock = gl_sync(self, 0);

#if defined(FAULT_KEPT)
    if (self->group != 0 && !gl_wait_until(self, lock, GL_UNTIL_DIFFERENT, 0, 0))
        return;
#endif
    if (!take(self, sum, lock))
        return;
    gl_holds(self, 1);
    busy_ms(self, sum, gl_own(self, PARAM_MS));
#if defined(FAULT_KEPT)
    if (self->group == 0)
        return;
#endif
    gl_holds(self, 0);
    gl_release(self->board + lock, 0);
}

GL_KERNEL void backoff(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    gl_gather(&self);
    if (self.leader)
        take_a_turn(&self, sums + self.group);
    if (!gl_proceed(&self))
        return;
    busy_end(&self);
}
