/*
 * kernel:  late_barrier
 * purpose: a barrier by one counter to which one group comes late, because it computes
 * needs:   all groups resident together
 * fails:   above the resident limit those inside wait for one that cannot start; with a fault for an arrival that is
 *          not made
 * source:  gridlock
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  where = first | between | each | after
 * option:  items = leader | all
 * option:  said = yes | no
 * option:  fault = none | no-arrival | trips
 * param:   who = 0 in 0..101  which group computes, in % of the ids; 101: each of them
 * param:   ms = 100 in 0..60000  how long
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   line
 * data:    sums uint groups*local-size zero
 * checks:  groups
 *
 * It computes before the first barrier, between the first two, before each, or after the last one. said = no: groups do
 * not say in which round they are, as an author may forget. Fault no-arrival: it is not counted at the second barrier;
 * trips: it leaves the loop a round early, and computes before it ends.
 */
#include "busy.h"

static bool computes_before(uint round)
{
#if defined(WHERE_FIRST)
    return round == 1;
#elif defined(WHERE_BETWEEN)
    return round == 2;
#elif defined(WHERE_EACH)
    return true;
#else
    return false;
#endif
}

static void compute(struct gl_self *self, global uint *sums)
{
    const uint ms = gl_own(self, PARAM_MS);
    global uint *sum = sums + self->group * GL_LOCAL_SIZE + get_local_id(0);
#if defined(ITEMS_LEADER)
    if (self->leader)
        busy_ms(self, sum, ms);
#elif defined(GL_YIELD)
    busy_us(self, sum, ms * 1000 / GL_LOCAL_SIZE); /* one after the other */
#else
    busy_ms(self, sum, ms);
#endif
}

static void meet(struct gl_self *self, uint round, bool chosen)
{
    const uint counter = gl_sync(self, 0);
#if defined(SAID_YES)
    gl_round(self, round);
#endif
#if defined(FAULT_NO_ARRIVAL)
    if (!chosen || round != 2)
        gl_add(self->board + counter, 1);
#else
    gl_add(self->board + counter, 1);
#endif
    gl_wait(self, counter, round * self->groups, GL_GROUP_ALL);
}

GL_KERNEL void late_barrier(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const bool chosen = busy_is_chosen(&self, gl_own(&self, PARAM_WHO));
    uint rounds = gl_parameter(board, GL_ROUNDS);
#if defined(FAULT_TRIPS)
    if (chosen)
        rounds -= 1;
#endif
    for (uint round = 1; round <= rounds; ++round) {
        if (chosen && computes_before(round))
            compute(&self, sums);
        gl_gather(&self);
        if (self.leader)
            meet(&self, round, chosen);
        if (!gl_proceed(&self))
            return;
    }
#if defined(WHERE_AFTER) || defined(FAULT_TRIPS)
    if (chosen)
        compute(&self, sums);
#endif
    busy_end(&self);
}
