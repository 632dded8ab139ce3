/*
 * kernel:  within
 * purpose: waits that can never end: within a lock, for what nobody does any more, or in a circle
 * needs:   what no device gives
 * fails:   with two groups and more, or three
 * source:  gridlock
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  kind = owner | ticket | named
 * option:  way = ring | leaver | silent | inside | version
 * option:  said = no | yes
 * param:   ms = 0 in 0..60000
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   64*line+groups*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * Option way: two locks and a flag make a circle of three (ring); a group ends and keeps its lock (leaver); a group
 * ends without the flag that it owes (silent); a barrier within a lock (inside); a group that holds a lock waits for a
 * flag of one that wants it (version). Option said: a group says its round before it waits.
 */
#include "leader.h"
#include "locks.h"

#define COUNT (16u * GL_LINE)
#define FLAG (18u * GL_LINE)
#define READY (20u * GL_LINE)

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
    struct lock one = lock_at(self, 0), two = lock_at(self, 1);

#if defined(WAY_RING)
    if (last < 2 || (me > 1 && me != last))
        return;
    if (me < 2 && !lock_take(self, me == 0 ? &one : &two, 1))
        return;
    if (me < 2)
        gl_add(self->board + gl_sync(self, READY), 1);
    if (!gl_wait(self, gl_sync(self, READY), 2, me == 0 ? 1 : 0))
        return;
    if (me == last)
        busy_ms(self, sum, ms);
    if (me == 0 ? !gl_wait(self, gl_sync(self, FLAG), 1, last) : !lock_take(self, me == 1 ? &one : &two, 2))
        return;
    if (me == last)
        gl_release(self->board + gl_sync(self, FLAG), 1);
#elif defined(WAY_LEAVER)
    if (me != 0 && !gl_wait(self, gl_sync(self, FLAG), 1, 0))
        return;
    if (!lock_take(self, &one, 1))
        return;
    if (me == 0) {
        gl_release(self->board + gl_sync(self, FLAG), 1);
        busy_ms(self, sum, ms);
        return;
    }
    lock_drop(self, &one, 0);
#elif defined(WAY_SILENT)
    if (me == last)
        busy_ms(self, sum, ms);
    else if (gl_wait(self, gl_sync(self, FLAG), 1, last) && lock_take(self, &one, 1))
        lock_drop(self, &one, 0);
#elif defined(WAY_INSIDE)
    busy_ms(self, sum, me == last ? ms : 0);
    if (!lock_take(self, &one, 1))
        return;
    if (all_meet(self, COUNT, 1))
        lock_drop(self, &one, 0);
#else
    if (me > 1 || last == 0)
        return;
    if (me == 1 && !lock_take(self, &one, 1))
        return;
    gl_add(self->board + gl_sync(self, READY), 1);
    if (!gl_wait(self, gl_sync(self, READY), 2, 1 - me))
        return;
    busy_ms(self, sum, me == 0 ? ms : 0);
    if (me == 0 && lock_take(self, &one, 1))
        gl_release(self->board + gl_sync(self, FLAG), 2);
    if (me == 1 && gl_wait(self, gl_sync(self, FLAG), 2, 0))
        lock_drop(self, &one, 0);
#endif
}

GL_KERNEL void within(global uint *board, global uint *sums)
{
    local uint leaving;

    leaders_act(board, sums, &leaving);
}
