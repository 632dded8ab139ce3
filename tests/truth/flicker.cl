/*
 * kernel:  flicker
 * purpose: a word changes all the time, and a group waits for a value of which nobody knows when it comes
 * needs:   the group that writes gets its turn
 * fails:   with a fault the value never comes
 * source:  gridlock
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  wait = equal | different
 * option:  fault = none | away | endless
 * param:   ms = 100 in 0..60000  how long the word changes
 * param:   us = 10 in 0..1000000  time between two changes
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * The last group writes 0 and 2 in turn, and in the end 1. The others wait until the word is 1 (equal), or until they
 * see anything but 0 (different), which may pass them by until the end. Faults: away: the end is 0; endless: there is
 * no end.
 */
#include "busy.h"

static void write_on(struct gl_self *self, global uint *sum)
{
    global uint *word = self->board + gl_sync(self, 0);
    const uint us = gl_own(self, PARAM_US);
    const uint most = gl_own(self, PARAM_MS) * 1000 / max(us, 1u);

    for (uint i = 0; i < most && !busy_is_stopped(self); ++i) {
        gl_store(word, 2 * (i % 2));
        busy_us(self, sum, us);
#if defined(FAULT_ENDLESS)
        i %= 2;
#endif
    }
#if defined(FAULT_NONE)
    gl_release(word, 1);
#else
    gl_release(word, 0);
#endif
}

GL_KERNEL void flicker(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint last = self.groups - 1;
    gl_gather(&self);
    if (self.leader) {
        if (self.group == last)
            write_on(&self, sums + self.group);
        else
#if defined(WAIT_DIFFERENT)
            gl_wait_until(&self, gl_sync(&self, 0), GL_UNTIL_DIFFERENT, 0, last);
#else
            gl_wait_until(&self, gl_sync(&self, 0), GL_UNTIL_EQUAL, 1, last);
#endif
    }
    if (!gl_proceed(&self))
        return;
    busy_end(&self);
}
