/*
 * kernel:  barrier_sense
 * purpose: a sense-reversing barrier: the last group to arrive resets the counter, then flips the sense
 * needs:   all groups resident together, or fair scheduling
 * fails:   above the resident limit the last arrival never comes: the sense is never flipped
 * source:  Mellor-Crummey and Scott, ACM Transactions on Computer Systems, 1991
 * option:  access = plain | volatile | atomic
 * option:  fault = none | no-reversal | late-reset
 * words:   2*line
 * names:   counter = 0
 * names:   sense = line
 * data:    cells uint 2*groups*local-size zero
 * checks:  rounds*groups*local-size
 *
 * Two words instead of one counter that grows for ever: the counter serves each round anew, and the sense
 * says whether the round is over. Each group knows by the parity of the round which sense it waits for. The
 * sense cannot flip back before a slow group has seen it, because the next flip needs that group's arrival.
 *
 * Faults: no-reversal waits for the same sense in each round, so that it is already there from the second
 * round on, and nobody but the last to arrive waits at all. late-reset flips the sense before it resets the
 * counter: groups that are let go arrive at the next round meanwhile, and the reset loses their arrivals.
 */
#include "group.h"
#include "publish.h"

static void arrive_and_wait(struct gl_self *self, uint round)
{
    global uint *counter = self->board + gl_sync(self, 0);
    const uint sense = gl_sync(self, GL_LINE);
#if defined(FAULT_NO_REVERSAL)
    const uint now = 1;
#else
    const uint now = round % 2;
#endif

    gl_round(self, round);
    if (gl_add(counter, 1) + 1 != self->groups) {
        gl_wait_until(self, sense, GL_UNTIL_EQUAL, now, GL_GROUP_ALL);
        return;
    }
#if defined(FAULT_LATE_RESET)
    gl_release(self->board + sense, now);
    gl_delay(self, round);
    gl_store(counter, 0);
#else
    gl_store(counter, 0);
    gl_release(self->board + sense, now);
#endif
}

GL_KERNEL void barrier_sense(global uint *board, global uint *cells)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint rounds = gl_parameter(board, GL_ROUNDS);
    for (uint round = 1; round <= rounds; ++round) {
        gl_delay(&self, round);
        publish_write(&self, cells, round);
        gl_gather(&self);
        if (self.leader)
            arrive_and_wait(&self, round);
        if (!gl_proceed(&self))
            return;
        publish_check(&self, cells, round);
    }
    gl_leave(&self);
}
