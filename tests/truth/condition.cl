/*
 * kernel:  condition
 * purpose: a group waits at a condition variable with a lock in its hands, or without it
 * needs:   started groups run on (OBE)
 * fails:   with the ways holds, for who would signal wants the lock, and early, for the signal came before the wait
 * source:  Hoare, Monitors (CACM 1974)
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  kind = owner | named
 * option:  way = right | holds | early | timed
 * param:   ms = 0 in 0..60000  how long the one that signals computes with the lock
 * param:   polls = 20000 in 1..1000000000  of a try
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   16*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * The last group signals, with the lock; group 0 waits for a signal. The others take the lock and drop it, in between.
 * timed: group 0 waits with the lock, but only for so long, and then gives it back and waits without it.
 */
#include "locks.h"

#define SIGNAL (8u * GL_LINE)
#define WAITS (10u * GL_LINE)

/* Whether it was not stopped. */
static bool await(struct gl_self *self, struct lock *lock, uint last)
{
    const uint signal = gl_sync(self, SIGNAL);

    gl_release(self->board + gl_sync(self, WAITS), 1);
#if defined(WAY_HOLDS)
    (void)lock;
    return gl_wait(self, signal, 1, last);
#elif defined(WAY_TIMED)
    const uint tried = gl_try_until(self, signal, GL_UNTIL_REACHED, 1, gl_own(self, PARAM_POLLS));
    if (tried != GL_TRY_GAVE_UP)
        return tried == GL_TRY_HELD;
    lock_drop(self, lock, 0);
    return gl_wait(self, signal, 1, last) && lock_take(self, lock, 1);
#elif defined(WAY_EARLY)
    /* It begins to look after the signal came, and wants a second one. */
    lock_drop(self, lock, 0);
    return gl_wait(self, signal, 1, last) && gl_wait(self, signal, 2, last) && lock_take(self, lock, 1);
#else
    lock_drop(self, lock, 0);
    return gl_wait(self, signal, 1, last) && lock_take(self, lock, 1);
#endif
}

static void act_condition(struct gl_self *self, global uint *sum)
{
    const uint last = self->groups - 1;
    struct lock lock = lock_at(self, 0);

    if (self->group != 0 && !gl_wait(self, gl_sync(self, WAITS), 1, 0))
        return;
    if (!lock_take(self, &lock, 1))
        return;
    if (self->group == 0 && last != 0 && !await(self, &lock, last))
        return;
    if (self->group == last) {
        busy_ms(self, sum, gl_own(self, PARAM_MS));
        gl_add(self->board + gl_sync(self, SIGNAL), 1);
    }
    lock_drop(self, &lock, 0);
}

GL_KERNEL void condition(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    gl_gather(&self);
    if (self.leader)
        act_condition(&self, sums + self.group);
    if (!gl_proceed(&self))
        return;
    busy_end(&self);
}
