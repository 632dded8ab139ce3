/*
 * kernel:  barrier_dissemination
 * purpose: a barrier without a centre: in step k each group signals that 2^k above it and waits for that 2^k below
 * needs:   all groups resident together, or fair scheduling
 * fails:   above the resident limit a chain of groups, each one step behind the next, ends in a group that cannot start
 * source:  Hensgen, Finkel and Manber, International Journal of Parallel Programming, 1988
 * option:  access = plain | volatile | atomic
 * option:  fault = none | no-sense | no-parity
 * words:   2*groups*line
 * names:   flag {s} of group {i} in parity {p} = (2*i+p)*line+s, i < groups, p < 2, s < max(log2(groups),1)
 * data:    cells uint 2*groups*local-size zero
 * checks:  rounds*groups*local-size
 *
 * After step k a group knows of the 2^(k+1) - 1 groups below it that they have arrived, so log2(groups) steps tell
 * it of all. A flag has one writer and one reader. Two sets of flags take turns by the round's parity, because a
 * group that is one round ahead signals before its neighbour has read the last round's flag; and what a signal
 * is, the sense, flips every second round, so that no flag must be reset.
 *
 * Faults: no-sense signals by a 1 in every round, which is still there from the third round on; no-parity has one
 * set of flags, whose sense flips in every round: a fast group overwrites a signal before it was read.
 */
#include "group.h"
#include "publish.h"

/* Steps are fewer than GL_LINE: the flags that a group reads in a round share a line. */
static uint flag(const struct gl_self *self, uint group, uint round, uint step)
{
#if defined(FAULT_NO_PARITY)
    const uint parity = 0;
#else
    const uint parity = round % 2;
#endif
    return gl_sync(self, (2 * group + parity) * GL_LINE + step);
}

static uint sense(uint round)
{
#if defined(FAULT_NO_SENSE)
    return 1;
#elif defined(FAULT_NO_PARITY)
    return round % 2;
#else
    return (round + 1) / 2 % 2;
#endif
}

static void arrive_and_wait(struct gl_self *self, uint round)
{
    const uint group = self->group;
    const uint groups = self->groups;
    uint step = 0;

    gl_round(self, round);
    for (uint distance = 1; distance < groups; distance *= 2) {
        const uint to = group + distance < groups ? group + distance : group + distance - groups;
        const uint from = group >= distance ? group - distance : group + groups - distance;

        gl_release(self->board + flag(self, to, round, step), sense(round));
        if (step == 0)
            gl_delay(self, round);
        if (!gl_wait_until(self, flag(self, group, round, step), GL_UNTIL_EQUAL, sense(round), from))
            return;
        ++step;
    }
}

GL_KERNEL void barrier_dissemination(global uint *board, global uint *cells)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint rounds = gl_parameter(board, GL_ROUNDS);
    for (uint round = 1; round <= rounds; ++round) {
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
