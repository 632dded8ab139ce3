/*
 * kernel:  semaphore
 * purpose: a counting semaphore: no more groups than it has permits are inside at a time
 * needs:   a group that has started runs on (OBE)
 * fails:   if as many holders as there are permits are stopped for good, all others wait for them
 * source:  Reed and Kanodia, CACM 1979 (sequencers and event counts)
 * option:  fault = none | torn-take
 * param:   permits = 2 in 1..1048576  groups that may be inside together
 * words:   3*line
 * names:   permits taken = 0
 * names:   permits returned = line
 * names:   groups inside = 2*line
 * checks:  rounds*groups*2
 *
 * One word counts permits taken, the other one permits returned; both only grow. Who is the n-th to take one
 * waits until all but the last `permits` before it were returned. With one permit this is a ticket lock.
 *
 * Fault: torn-take takes a permit by a read and a write, so that two groups may take the same one.
 */
#include "group.h"
#include "lock_overlap.h"

#define PERMITS_TAKEN 0u
#define PERMITS_RETURNED GL_LINE
#define GROUPS_INSIDE (2u * GL_LINE)

/* How many permits were taken before this one. */
static uint permit_number(struct gl_self *self, uint round)
{
    global uint *taken = self->board + gl_sync(self, PERMITS_TAKEN);

#if defined(FAULT_TORN_TAKE)
    const uint number = gl_load(taken);
    gl_delay(self, round);
    gl_store(taken, number + 1);
    return number;
#else
    return gl_add(taken, 1);
#endif
}

static bool permit_take(struct gl_self *self, uint round, uint permits)
{
    const uint returned = gl_sync(self, PERMITS_RETURNED);

    gl_round(self, round);
    const uint number = permit_number(self, round);
    if (!gl_wait_lock(self, returned, GL_UNTIL_REACHED, number + 1 - permits, returned))
        return false;
    gl_takes(self, returned);
    return true;
}

static void permit_return(struct gl_self *self)
{
    const uint returned = gl_sync(self, PERMITS_RETURNED);

    gl_drops(self, returned);
    gl_add(self->board + returned, 1);
}

GL_KERNEL void semaphore(global uint *board)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    global uint *inside = board + gl_sync(&self, GROUPS_INSIDE);
    const uint permits = gl_own(&self, PARAM_PERMITS);
    const uint rounds = gl_parameter(board, GL_ROUNDS);
#if defined(FAULT_TORN_TAKE)
    if (!lock_overlap(&self))
        return;
#endif
    for (uint round = 1; round <= rounds; ++round) {
        gl_gather(&self);
        if (self.leader && permit_take(&self, round, permits)) {
            const uint others = gl_add(inside, 1);
            gl_check(&self, others, others < permits, true, true);
        }
        if (!gl_proceed(&self))
            return;
        gl_delay(&self, rounds + round);
        gl_gather(&self);
        if (self.leader) {
            const uint together = gl_add(inside, 0u - 1u);
            gl_check(&self, together, together - 1 < permits, true, true);
            permit_return(&self);
        }
    }
    gl_leave(&self);
}
