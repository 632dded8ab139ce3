/*
 * kernel:  reset
 * purpose: a word is reset after a wait for it, and the first group computes while the others fight for its lock
 * needs:   three groups resident together
 * fails:   above the resident limit they wait for one that does not start
 * source:  gridlock
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * param:   ms = 0 in 0..60000  how long group 0 computes
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   3*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * After the wait group 0 is in no other, so the board still shows it in that one, although the word no longer has the
 * value. Each try for the lock writes another value into it, which looks like a livelock.
 */
#include "busy.h"

static bool meet(struct gl_self *self)
{
    global uint *word = self->board + gl_sync(self, 0);

    gl_add(word, 1);
    if (!gl_wait(self, gl_sync(self, 0), 3, GL_GROUP_ANY))
        return false;
    if (gl_add(self->board + gl_sync(self, 2 * GL_LINE), 1) == 2)
        gl_store(word, 0); /* the last one of those that meet */
    return true;
}

static bool take(struct gl_self *self)
{
    const uint lock = gl_sync(self, GL_LINE);
    struct gl_spin spin;

    gl_spin_begin(self, &spin, lock, GL_UNTIL_EQUAL, 0, GL_GROUP_ANY);
    do
        gl_spin_look(self, &spin);
    while (gl_spin_goes_on(self, &spin, gl_exchange(self->board + lock, self->group + 1)));
    return gl_spin_end(self, &spin);
}

static void act(struct gl_self *self, global uint *sum)
{
    global uint *lock = self->board + gl_sync(self, GL_LINE);

    if (self->group > 2)
        return;
    if (self->group == 0)
        gl_store(lock, 1);
    if (!meet(self))
        return;
    if (self->group == 0)
        busy_ms(self, sum, gl_own(self, PARAM_MS));
    else if (!take(self))
        return;
    gl_release(lock, 0);
}

GL_KERNEL void reset(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    gl_gather(&self);
    if (self.leader)
        act(&self, sums + self.group);
    if (!gl_proceed(&self))
        return;
    busy_end(&self);
}
