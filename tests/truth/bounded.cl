/*
 * kernel:  bounded
 * purpose: waits that give up by themselves, in the midst of what would else be a circle
 * needs:   started groups run on (OBE)
 * fails:   with the fault, for an unlock that never comes
 * source:  gridlock
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  kind = owner | ticket | named
 * option:  what = locks | message | flag
 * option:  fault = none | kept
 * param:   polls = 30000000 in 1..1000000000  of a try
 * param:   ms = 0 in 0..60000  how long the first group computes before it answers
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   8*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * The groups but the first two end. locks: each of the two has its own lock; the second one tries to get the
 * other one, and gives its own back when it gave up, while the first one waits. message: the second one sends,
 * tries to see an answer, and sends again until there is one, while the first one wants three messages. flag:
 * the second one tries to see a flag that the first one sets after its own wait for the second. Fault kept: it
 * ends with its lock when it gave up.
 */
#include "locks.h"

#define READY (6u * GL_LINE)
#define ANSWER (7u * GL_LINE)

#if defined(WHAT_LOCKS)
static void second(struct gl_self *self)
{
    struct lock one = lock_at(self, 0), two = lock_at(self, 1);

    if (!lock_take(self, &two, 1))
        return;
    gl_add(self->board + gl_sync(self, READY), 1);
    if (!gl_wait(self, gl_sync(self, READY), 2, 0))
        return;
    if (gl_try_until(self, one.word, GL_UNTIL_EQUAL, 0, gl_own(self, PARAM_POLLS)) == GL_TRY_STOPPED)
        return;
#if !defined(FAULT_KEPT)
    lock_drop(self, &two, 0);
#endif
}

static void first(struct gl_self *self, global uint *sum)
{
    struct lock one = lock_at(self, 0), two = lock_at(self, 1);

    if (!lock_take(self, &one, 1))
        return;
    gl_add(self->board + gl_sync(self, READY), 1);
    if (!gl_wait(self, gl_sync(self, READY), 2, 1))
        return;
    busy_ms(self, sum, gl_own(self, PARAM_MS));
    if (!lock_take(self, &two, 2))
        return;
    lock_drop(self, &two, 1);
    lock_drop(self, &one, 0);
}
#elif defined(WHAT_MESSAGE)
static void second(struct gl_self *self)
{
    uint tried;

    do {
        gl_add(self->board + gl_sync(self, READY), 1);
        tried = gl_try_until(self, gl_sync(self, ANSWER), GL_UNTIL_REACHED, 1, gl_own(self, PARAM_POLLS));
    } while (tried == GL_TRY_GAVE_UP);
}

static void first(struct gl_self *self, global uint *sum)
{
    if (!gl_wait(self, gl_sync(self, READY), 3, 1))
        return;
    busy_ms(self, sum, gl_own(self, PARAM_MS));
    gl_release(self->board + gl_sync(self, ANSWER), 1);
}
#else
static void second(struct gl_self *self)
{
    const uint flag = gl_sync(self, ANSWER);

    if (gl_try_until(self, flag, GL_UNTIL_REACHED, 1, gl_own(self, PARAM_POLLS)) != GL_TRY_STOPPED)
        gl_release(self->board + gl_sync(self, READY), 1);
}

static void first(struct gl_self *self, global uint *sum)
{
    busy_ms(self, sum, gl_own(self, PARAM_MS));
    if (gl_wait(self, gl_sync(self, READY), 1, 1))
        gl_release(self->board + gl_sync(self, ANSWER), 1);
}
#endif

GL_KERNEL void bounded(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    gl_gather(&self);
    if (self.leader && self.groups > 1 && self.group == 0)
        first(&self, sums);
    else if (self.leader && self.group == 1)
        second(&self);
    if (!gl_proceed(&self))
        return;
    busy_end(&self);
}
