/*
 * kernel:  buffer
 * purpose: pairs of groups pass items through a buffer of a few places; one of each pair is slower
 * needs:   both groups of a pair resident together
 * fails:   with a fault an item is not announced: the producer finds the buffer full, the consumer finds it empty
 * source:  Dijkstra, Cooperating sequential processes, 1965 (the bounded buffer)
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  slow = consumer | producer
 * option:  said = no | steps
 * option:  fault = none | lost
 * param:   places = 4 in 1..1024  of the buffer
 * param:   items = 1000 in 1..100000000  that go through it
 * param:   us = 0 in 0..10000000  how long the slower one works on each item
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   2*groups*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * Groups 0 and 1 are a pair, 2 and 3, and so on; an odd last one ends. Fault lost: the first pair's producer fills a
 * place and does not say so, in the middle, and the consumer waits for each item. All of it is one round.
 */
#include "busy.h"

static void work_on(struct gl_self *self, global uint *sum, bool slow)
{
    if (slow)
        busy_us(self, sum, gl_own(self, PARAM_US));
#if defined(SAID_STEPS)
    gl_step(self);
#endif
}

static void produce(struct gl_self *self, global uint *sum, uint filled, uint emptied, bool slow)
{
    const uint places = gl_own(self, PARAM_PLACES);
    const uint items = gl_own(self, PARAM_ITEMS);

    for (uint item = 1; item <= items + places; ++item) {
        if (item > places && !gl_wait(self, emptied, item - places, self->group + 1))
            return;
        if (item > items)
            continue;
        work_on(self, sum, slow);
#if defined(FAULT_LOST)
        if (self->group == 0 && item > items / 2)
            continue;
#endif
        gl_release(self->board + filled, item);
    }
}

static void consume(struct gl_self *self, global uint *sum, uint filled, uint emptied, bool slow)
{
    const uint items = gl_own(self, PARAM_ITEMS);

    for (uint item = 1; item <= items; ++item) {
        if (!gl_wait(self, filled, item, self->group - 1))
            return;
        work_on(self, sum, slow);
        gl_release(self->board + emptied, item);
    }
}

GL_KERNEL void buffer(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
#if defined(SLOW_CONSUMER)
    const bool slow = self.group % 2 == 1;
#else
    const bool slow = self.group % 2 == 0;
#endif
    const uint filled = gl_sync(&self, self.group / 2 * 2 * GL_LINE);
    gl_gather(&self);
    if (self.leader) {
        if (self.group % 2 == 1)
            consume(&self, sums + self.group, filled, filled + GL_LINE, slow);
        else if (self.group + 1 < self.groups)
            produce(&self, sums + self.group, filled, filled + GL_LINE, slow);
    }
    if (!gl_proceed(&self))
        return;
    busy_end(&self);
}
