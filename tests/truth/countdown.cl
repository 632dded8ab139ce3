/*
 * kernel:  countdown
 * purpose: one group counts, up or down, and the others wait until it has come to a far value
 * needs:   the group that counts gets its turn
 * fails:   with a fault it stops on the way, passes the value by, or counts for ever
 * source:  gridlock
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  direction = up | down
 * option:  goal = same | own
 * option:  fault = none | stops | past | endless
 * param:   who = 0 in 0..100  which group counts, in % of the ids
 * param:   counts = 1000 in 1..100000000  how far
 * param:   us = 100 in 0..10000000  how long each count takes
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * goal = own: each group waits for a value of its own, one after the other. Faults: stops: the counting group ends in
 * the middle; past: it leaves the last value out, and goes on to the next one, while the others wait for that very
 * value;
 * endless: it begins again whenever it comes near the value.
 */
#include "busy.h"

static uint counted(uint count, uint counts)
{
#if defined(DIRECTION_DOWN)
    return counts + 1 - count; /* from `counts` down to 1; before it begins the word is 0 */
#else
    return count;
#endif
}

static void count_on(struct gl_self *self, global uint *sums, uint counts)
{
    const uint us = gl_own(self, PARAM_US);
    global uint *word = self->board + gl_sync(self, 0);
    uint last = counts;

#if defined(FAULT_STOPS)
    last = counts / 2;
#elif defined(FAULT_PAST)
    last = counts + 1;
#elif defined(FAULT_ENDLESS)
    last = 0xffffffffu;
#endif
    for (uint count = 1; count <= last && !busy_is_stopped(self); ++count) {
        busy_us(self, sums + self->group, us);
#if defined(FAULT_PAST)
        if (count == counts)
            continue;
#elif defined(FAULT_ENDLESS)
        if (count == counts)
            count = 1;
#endif
        gl_store(word, counted(count, counts));
    }
}

static void await_count(struct gl_self *self, uint counter, uint counts)
{
    uint goal = counts;
#if defined(GOAL_OWN)
    goal = max(counts / self->groups * self->group, 1u);
#endif
#if defined(DIRECTION_DOWN) || defined(FAULT_PAST)
    gl_wait_until(self, gl_sync(self, 0), GL_UNTIL_EQUAL, counted(counts, counts), counter);
#else
    gl_wait(self, gl_sync(self, 0), goal, counter);
#endif
}

GL_KERNEL void countdown(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint counter = (self.groups - 1) * gl_own(&self, PARAM_WHO) / 100;
    const uint counts = gl_own(&self, PARAM_COUNTS);
    gl_gather(&self);
    if (self.leader) {
        if (self.group == counter)
            count_on(&self, sums, counts);
        else
            await_count(&self, counter, counts);
    }
    if (!gl_proceed(&self))
        return;
    busy_end(&self);
}
