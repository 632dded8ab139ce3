/*
 * kernel:  behind
 * purpose: a lock, a flag or a barrier behind another wait, or behind a group that computes
 * needs:   started groups run on (OBE)
 * fails:   above the resident limit, where all wait for all
 * source:  gridlock
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  kind = owner | ticket | named
 * option:  way = after | up | late | between | holder | gives | trylock
 * option:  said = no | yes
 * param:   ms = 0 in 0..60000
 * param:   polls = 20000 in 1..1000000000
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   64*line+groups*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * Option way: a barrier after a lock (after); each group waits for the next one (up); a lock after a flag that a group
 * sets late (late); a lock between two barriers (between); a lock that the first group holds for long (holder); a loop
 * without a wait, which gives up, before a lock (gives); a try that gives up while a group holds the lock (trylock).
 * Option said: a group says its round before it waits.
 */
#include "leader.h"
#include "locks.h"

#define COUNT (16u * GL_LINE)
#define FLAG (18u * GL_LINE)
#define OWN(group) ((64u + (group)) * GL_LINE)

static bool all_meet(struct gl_self *self, uint word, uint round)
{
#if defined(SAID_YES)
    gl_round(self, round);
#endif
    gl_add(self->board + gl_sync(self, word), 1);
    return gl_wait(self, gl_sync(self, word), round * self->groups, GL_GROUP_ALL);
}

static void act(struct gl_self *self, global uint *sum)
{
    const uint me = self->group, last = self->groups - 1, ms = gl_own(self, PARAM_MS);
    struct lock one = lock_at(self, 0);

#if defined(WAY_AFTER)
    if (!lock_take(self, &one, 1))
        return;
    busy_us(self, sum, ms * 1000 / self->groups);
    lock_drop(self, &one, 0);
    all_meet(self, COUNT, 1);
#elif defined(WAY_UP)
    if (me != last && !gl_wait(self, gl_sync(self, OWN(me + 1)), 1, me + 1))
        return;
    busy_us(self, sum, ms * 1000 / self->groups);
    gl_release(self->board + gl_sync(self, OWN(me)), 1);
#elif defined(WAY_LATE)
    if (me == 0) {
        busy_ms(self, sum, ms);
        gl_release(self->board + gl_sync(self, FLAG), 1);
    } else if (!gl_wait(self, gl_sync(self, FLAG), 1, 0))
        return;
    if (lock_take(self, &one, 1))
        lock_drop(self, &one, 0);
#elif defined(WAY_BETWEEN)
    if (!all_meet(self, COUNT, 1))
        return;
    if (me == 0)
        busy_ms(self, sum, ms);
    if (!lock_take(self, &one, 1))
        return;
    lock_drop(self, &one, 0);
    all_meet(self, COUNT, 2);
#elif defined(WAY_HOLDER)
    if (!lock_take(self, &one, 1))
        return;
    if (me == 0)
        busy_ms(self, sum, ms);
    lock_drop(self, &one, 0);
#elif defined(WAY_GIVES)
    /* A loop of its own, which gives up. */
    for (uint turn = 0; turn < gl_own(self, PARAM_POLLS) && gl_load(self->board + gl_sync(self, FLAG)) == 0; ++turn)
        ;
    if (me == last) {
        busy_ms(self, sum, ms);
        gl_release(self->board + gl_sync(self, FLAG), 1);
    }
    if (lock_take(self, &one, 1))
        lock_drop(self, &one, 0);
#else
    if (me == 0) {
        if (!lock_take(self, &one, 1))
            return;
        gl_release(self->board + gl_sync(self, FLAG), 1);
        busy_ms(self, sum, ms);
        lock_drop(self, &one, 0);
        return;
    }
    if (!gl_wait(self, gl_sync(self, FLAG), 1, 0))
        return;
    if (gl_try_until(self, one.word, GL_UNTIL_EQUAL, 0, gl_own(self, PARAM_POLLS)) == GL_TRY_STOPPED)
        return;
    if (lock_take(self, &one, 1))
        lock_drop(self, &one, 0);
#endif
}

GL_KERNEL void behind(global uint *board, global uint *sums)
{
    local uint leaving;

    leaders_act(board, sums, &leaving);
}
