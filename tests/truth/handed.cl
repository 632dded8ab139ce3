/*
 * kernel:  handed
 * purpose: the first group hands a lock that it took to the second one, which computes and drops it
 * needs:   three groups resident together, and a group that holds a lock runs on (OBE)
 * fails:   with a fault the second one ends, and the lock is lost
 * source:  gridlock
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  kind = owner | ticket | named
 * option:  fault = none | lost
 * param:   ms = 100 in 0..60000  how long the second group computes
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   6*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * The last group waits for the lock, and the first one, which does not hold it any more, waits for the last one: no
 * circle. The others end.
 */
#include "locks.h"

#define HANDED (2u * GL_LINE)
#define OVER (3u * GL_LINE)
#define NUMBER (4u * GL_LINE)

/* The group does not hold the lock any more, and has not released it. */
static void lock_forget(struct gl_self *self, const struct lock *lock)
{
#if defined(LOCK_NAMED)
    gl_drops(self, lock->word);
#else
    gl_holds(self, 0);
#endif
}

static void hand_over(struct gl_self *self)
{
    struct lock lock = lock_at(self, 0);

    if (!lock_take(self, &lock, 1))
        return;
#if defined(KIND_OWNER)
    gl_store(self->board + lock.word, 2); /* from now on group 1 */
#endif
    lock_forget(self, &lock);
    gl_store(self->board + gl_sync(self, NUMBER), lock.number);
    gl_release(self->board + gl_sync(self, HANDED), 1);
    gl_wait(self, gl_sync(self, OVER), 1, self->groups - 1);
}

static void receive(struct gl_self *self, global uint *sum)
{
    struct lock lock = lock_at(self, 0);

    if (!gl_wait(self, gl_sync(self, HANDED), 1, 0))
        return;
    lock.number = gl_load(self->board + gl_sync(self, NUMBER));
    lock_note(self, &lock, 1);
    gl_add(self->board + gl_sync(self, HANDED), 1);
    busy_ms(self, sum, gl_own(self, PARAM_MS));
#if defined(FAULT_NONE)
    lock_drop(self, &lock, 0);
#endif
}

static void want(struct gl_self *self)
{
    struct lock lock = lock_at(self, 0);

    if (!gl_wait(self, gl_sync(self, HANDED), 2, 1) || !lock_take(self, &lock, 1))
        return;
    lock_drop(self, &lock, 0);
    gl_release(self->board + gl_sync(self, OVER), 1);
}

GL_KERNEL void handed(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    gl_gather(&self);
    if (self.leader && self.groups > 2) {
        if (self.group == 0)
            hand_over(&self);
        else if (self.group == 1)
            receive(&self, sums + self.group);
        else if (self.group == self.groups - 1)
            want(&self);
    }
    if (!gl_proceed(&self))
        return;
    busy_end(&self);
}
