/*
 * kernel:  barrier_two_level
 * purpose: a barrier in two levels: the last group of a cluster to arrive there arrives for the cluster
 * needs:   all groups resident together, or fair scheduling
 * fails:   above the resident limit a cluster with a group that cannot start never arrives, and all wait for it
 * source:  Xiao and Feng, IPDPS 2010 (GPU tree-based synchronization)
 * option:  access = plain | volatile | atomic
 * option:  fault = none | first-arriver
 * param:   cluster = 4 in 1..1048576  groups in a cluster; the last cluster may have fewer
 * words:   line*(1+ceil(groups,cluster))
 * names:   global counter = 0
 * names:   counter of cluster {i} = (1+i)*line, i < ceil(groups,cluster)
 * data:    cells uint 2*groups*local-size zero
 * checks:  rounds*groups*local-size
 *
 * Fault first-arriver: the first group of a cluster arrives for it. The barrier then never stalls where the right
 * one would not, and may not even stall where that one would; but it lets groups through too early.
 */
#include "group.h"
#include "publish.h"

static void arrive_and_wait(struct gl_self *self, uint round)
{
    const uint size = gl_own(self, PARAM_CLUSTER);
    const uint clusters = (self->groups + size - 1) / size;
    const uint cluster = self->group / size;
    const uint members = min(size, self->groups - cluster * size);
    const uint global_counter = gl_sync(self, 0);
    const uint cluster_counter = gl_sync(self, (1 + cluster) * GL_LINE);

    gl_round(self, round);
    const uint before = gl_add(self->board + cluster_counter, 1);
#if defined(FAULT_FIRST_ARRIVER)
    const bool arrives = before % members == 0;
#else
    const bool arrives = before + 1 == round * members;
#endif
    if (arrives)
        gl_add(self->board + global_counter, 1);
    gl_wait(self, global_counter, round * clusters, GL_GROUP_ALL);
}

GL_KERNEL void barrier_two_level(global uint *board, global uint *cells)
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
