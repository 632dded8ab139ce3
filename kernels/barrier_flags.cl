/*
 * kernel:  barrier_flags
 * purpose: a lock-free barrier: each group raises a flag, and a master group looks at all flags and releases all
 * needs:   all groups resident together, or fair scheduling
 * fails:   above the resident limit the master waits for a group that cannot start, and the others for the master
 * source:  Xiao and Feng, IPDPS 2010 (GPU lock-free synchronization)
 * option:  access = plain | volatile | atomic
 * option:  fence = both | acquire | release | none
 * option:  fault = none | shared-flags
 * words:   2*groups*line
 * names:   arrival flag {i} = i*line, i < groups
 * names:   release flag {i} = (groups+i)*line, i < groups
 * data:    cells uint 2*groups*local-size zero
 * checks:  rounds*groups*local-size
 *
 * There is no read-modify-write: each flag has one writer, and holds the round that it has come to. In the
 * paper each work-item of the master looks at one flag; here its leader looks at one after another, which
 * needs no work-group of a certain size. The master's fence before it releases the others also passes on
 * what it saw of those that arrived: a group reads what another one wrote though neither saw the other.
 *
 * Option fence: as in barrier_central.
 *
 * Fault shared-flags: the lower and the upper half of the groups are two sets, each with a barrier of its own,
 * but both barriers use the same flags, as when one buffer of flags serves two launches at once. A master then
 * takes the other set's arrivals for its own, and a slow group takes a flag back to an earlier round.
 */
#include "group.h"
#include "publish.h"

/* The groups that a barrier is for; the first one is its master. */
struct set {
    uint first;
    uint count;
};

static struct set own_set(const struct gl_self *self)
{
#if defined(FAULT_SHARED_FLAGS)
    const uint lower = self->groups / 2;
    struct set set = {self->group < lower ? 0 : lower, self->group < lower ? lower : self->groups - lower};
#else
    struct set set = {0, self->groups};
#endif
    return set;
}

/* The flag by which a member arrives, and the one by which it is released. */
static uint flag_in(const struct gl_self *self, uint member)
{
    return gl_sync(self, member * GL_LINE);
}

static uint flag_out(const struct gl_self *self, uint member)
{
    return gl_sync(self, (self->groups + member) * GL_LINE);
}

/* What this group wrote, and saw of others, is visible to whoever sees the flags that it raises next. */
static void fence_before_flags(void)
{
#if !defined(FENCE_ACQUIRE) && !defined(FENCE_NONE)
    gl_fence();
#endif
}

static void wait_for_all_and_release(struct gl_self *self, struct set set, uint round)
{
    for (uint member = 1; member < set.count; ++member)
        if (!gl_wait(self, flag_in(self, member), round, set.first + member))
            return;
    fence_before_flags();
    for (uint member = 1; member < set.count; ++member)
        gl_store(self->board + flag_out(self, member), round);
}

static void arrive_and_wait(struct gl_self *self, struct set set, uint round)
{
    const uint member = self->group - set.first;

    gl_round(self, round);
    if (member == 0) {
        wait_for_all_and_release(self, set, round);
    } else {
        fence_before_flags();
        gl_store(self->board + flag_in(self, member), round);
        gl_wait(self, flag_out(self, member), round, set.first);
    }
}

GL_KERNEL void barrier_flags(global uint *board, global uint *cells)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const struct set set = own_set(&self);
    const uint next = publish_next(self.group, set.first, set.count);
    const uint rounds = gl_parameter(board, GL_ROUNDS);
    for (uint round = 1; round <= rounds; ++round) {
        gl_delay(&self, round);
        publish_write(&self, cells, round);
        gl_gather(&self);
        if (self.leader)
            arrive_and_wait(&self, set, round);
        if (!gl_proceed(&self))
            return;
        publish_check_of(&self, cells, round, next);
    }
    gl_leave(&self);
}
