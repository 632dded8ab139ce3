/*
 * kernel:  guarded
 * purpose: a barrier inside a lock, a turn or a permit, at which the others cannot arrive
 * needs:   what no device gives: the one that is inside waits for those that wait for it
 * fails:   always, with two groups and more
 * source:  gridlock
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  kind = owner | ticket | named
 * option:  guard = lock | turn | permit | party | safepoint
 * option:  arrives = counter | flag
 * option:  said = yes | no | before
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   5*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * Option guard: what must be had to arrive: a lock; a turn, which the groups get by their ids; a permit, of which there
 * is one fewer than groups. A party does right: the second of each two groups tells the first, and waits for it by
 * its id, and only the first ones arrive. At a safepoint the second group has come to where the first one waits for all
 * others, and these want a lock of its before they come. Option said: a group says its round when it arrives, never,
 * or before it waits.
 */
#include "locks.h"

static bool meet(struct gl_self *self, uint arrivals)
{
    const uint counter = gl_sync(self, 2 * GL_LINE);
    const uint flag = gl_sync(self, 3 * GL_LINE);

#if defined(SAID_YES)
    gl_round(self, 1);
#endif
    const uint before = gl_add(self->board + counter, 1);
#if defined(ARRIVES_FLAG)
    if (before + 1 == arrivals)
        gl_release(self->board + flag, 1);
    return gl_wait(self, flag, 1, GL_GROUP_ALL);
#else
    (void)before, (void)flag;
    return gl_wait(self, counter, arrivals, GL_GROUP_ALL);
#endif
}

#if defined(GUARD_LOCK)

static void pass(struct gl_self *self)
{
    struct lock lock = lock_at(self, 0);

    if (!lock_take(self, &lock, 1) || !meet(self, self->groups))
        return;
    lock_drop(self, &lock, 0);
}

#elif defined(GUARD_TURN)

static void pass(struct gl_self *self)
{
    const uint turn = gl_sync(self, 0);

    if (self->group > 0 && !gl_wait(self, turn, self->group, self->group - 1))
        return;
    if (meet(self, self->groups))
        gl_add(self->board + turn, 1);
}

#elif defined(GUARD_PERMIT)

static void pass(struct gl_self *self)
{
    const uint returned = gl_sync(self, 0);
    const uint permits = max(self->groups - 1, 1u);

    if (self->group >= permits && !gl_wait(self, returned, self->group + 1 - permits, GL_GROUP_HOLDER))
        return;
    gl_holds(self, 1);
    if (!meet(self, self->groups))
        return;
    gl_holds(self, 0);
    gl_add(self->board + returned, 1);
}

#elif defined(GUARD_SAFEPOINT)

static void pass(struct gl_self *self)
{
    const uint counter = gl_sync(self, 2 * GL_LINE), go = gl_sync(self, 3 * GL_LINE),
               taken = gl_sync(self, 4 * GL_LINE);
    struct lock lock = lock_at(self, 0);

    if (self->group == 0) {
        if (gl_wait(self, counter, self->groups - 1, GL_GROUP_ALL))
            gl_release(self->board + go, 1);
        return;
    }
    if ((self->group > 1 && !gl_wait(self, taken, 1, 1)) || !lock_take(self, &lock, 1))
        return;
    gl_release(self->board + taken, 1);
    if (self->group > 1)
        lock_drop(self, &lock, 0);
#if defined(SAID_YES)
    gl_round(self, 1);
#endif
    gl_add(self->board + counter, 1);
    if (gl_wait(self, go, 1, 0) && self->group == 1)
        lock_drop(self, &lock, 0);
}

#else

/* The last group is alone if their number is odd. */
static void pass(struct gl_self *self)
{
    const uint first = self->group / 2 * 2;
    const uint told = gl_sync(self, GL_LINE);
    const uint go = gl_sync(self, 4 * GL_LINE);

    if (self->group != first) {
        gl_add(self->board + told, 1);
        gl_wait(self, go, 1, first);
        return;
    }
    if (meet(self, (self->groups + 1) / 2))
        gl_release(self->board + go, 1);
}

#endif

GL_KERNEL void guarded(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    gl_gather(&self);
    if (self.leader) {
#if defined(SAID_BEFORE)
        gl_round(&self, 1);
#endif
        pass(&self);
    }
    if (!gl_proceed(&self))
        return;
    busy_end(&self);
}
