/*
 * kernel:  barrier_central
 * purpose: a global barrier by one counter, on which all groups wait
 * needs:   all groups resident together, or fair scheduling
 * fails:   above the resident limit the groups inside wait for groups that cannot start before one of them leaves
 * source:  Xiao and Feng, IPDPS 2010 (GPU simple synchronization), with a counter that only grows
 * option:  access = plain | volatile | atomic
 * option:  board = on | off
 * option:  fence = both | acquire | release | none
 * option:  fault = none | reset-race | unequal-rounds
 * param:   silent = 0 in 0..1  1: work-items neither write nor read cells, so that only the barrier takes time
 * words:   line
 * names:   counter = 0
 * data:    cells uint 2*groups*local-size zero
 * checks:  (1-silent)*rounds*groups*local-size
 *
 * Option fence is what the barrier orders at device scope. The release fence comes before a group arrives, so
 * that its writes are visible to whoever sees the arrival; the acquire fence comes after its wait, so that it
 * reads nothing older than what it saw arrive. `acquire` and `release` keep only that one. A poll by
 * read-modify-write (poll = rmw) acquires whatever this option says. With board = off a group says nothing of its
 * waits, so that a stall cannot be explained: it is there to be timed.
 *
 * Faults: reset-race sets the counter back to 0 after each round, while slower groups may still have to
 * read it; unequal-rounds lets the last group leave one round early.
 */
#include "group.h"
#include "publish.h"

static void arrive_and_wait(struct gl_self *self, uint round)
{
    const uint counter = gl_sync(self, 0);

    /* Not gl_add, which would acquire, too. */
#if defined(FENCE_ACQUIRE) || defined(FENCE_NONE)
    const uint before = gl_add_relaxed(self->board + counter, 1);
#else
    const uint before = gl_add_release(self->board + counter, 1);
#endif
    gl_round(self, round);
#if defined(FAULT_RESET_RACE)
    (void)before;
    if (gl_wait_until(self, counter, GL_UNTIL_EQUAL, self->groups, GL_GROUP_ALL))
        gl_store(self->board + counter, 0);
#else
    gl_wait_after(self, counter, before, round * self->groups, GL_GROUP_ALL);
#endif
}

GL_KERNEL void barrier_central(global uint *board, global uint *cells)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const bool silent = gl_own(&self, PARAM_SILENT) != 0;
    uint rounds = gl_parameter(board, GL_ROUNDS);
#if defined(FAULT_UNEQUAL_ROUNDS)
    rounds -= self.group == self.groups - 1;
#endif
    for (uint round = 1; round <= rounds; ++round) {
        if (!silent) {
            gl_delay(&self, round);
            publish_write(&self, cells, round);
        }
        gl_gather(&self);
        if (self.leader)
            arrive_and_wait(&self, round);
        if (!gl_proceed(&self))
            return;
        if (!silent)
            publish_check(&self, cells, round);
    }
    gl_leave(&self);
}
