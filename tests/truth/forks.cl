/*
 * kernel:  forks
 * purpose: each group takes its fork, and then its neighbour's, by a try that gives up or by a wait
 * needs:   started groups run on (OBE)
 * fails:   with the way insists, always: a ring of groups of which each waits for the next one
 * source:  Dijkstra's philosophers (EWD310), with tries
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  kind = owner | named
 * option:  way = gives | keeps | insists
 * param:   ms = 0 in 0..60000  how long a group computes between its forks
 * param:   polls = 20000 in 1..1000000000  of a try
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   8*line + groups*2*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * All take their first fork before any looks for its second. gives: who gave up gives its first fork back and ends.
 * keeps: the last group tries, eats without its second fork, and gives the first one back; the others wait.
 */
#include "locks.h"

#define GATHERED 0u
#define FIRST 4u /* lock */

static void act_forks(struct gl_self *self, global uint *sum)
{
    const uint count = self->groups;
    struct lock mine = lock_at(self, FIRST + self->group);
    struct lock next = lock_at(self, FIRST + (self->group + 1) % count);

    if (!lock_take(self, &mine, 1))
        return;
    gl_round(self, 1);
    gl_add(self->board + gl_sync(self, GATHERED), 1);
    if (!gl_wait(self, gl_sync(self, GATHERED), count, GL_GROUP_ALL))
        return;
    busy_ms(self, sum, gl_own(self, PARAM_MS));
    if (count > 1) {
#if !defined(WAY_INSISTS)
#if defined(WAY_KEEPS)
        if (self->group == count - 1)
#endif
        {
            const uint tried = gl_try_until(self, next.word, GL_UNTIL_EQUAL, 0, gl_own(self, PARAM_POLLS));
            if (tried != GL_TRY_STOPPED)
                lock_drop(self, &mine, 0);
            return;
        }
#endif
#if !defined(WAY_GIVES)
        if (!lock_take(self, &next, 2))
            return;
        lock_drop(self, &next, 1);
#endif
    }
    lock_drop(self, &mine, 0);
}

GL_KERNEL void forks(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    gl_gather(&self);
    if (self.leader)
        act_forks(&self, sums + self.group);
    if (!gl_proceed(&self))
        return;
    busy_end(&self);
}
