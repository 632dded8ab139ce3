/*
 * kernel:  barrier_tree
 * purpose: a combining tree: the last of a few groups to arrive at a node goes on to its parent
 * needs:   all groups resident together, or fair scheduling
 * fails:   above the resident limit a node below which a group never starts is never complete, nor any node above it
 * source:  Yew, Tzeng and Lawrie, IEEE Transactions on Computers, 1987
 * option:  access = plain | volatile | atomic
 * option:  fault = none | full-tree
 * param:   fanin = 4 in 2..64  members of a node
 * words:   2*line*(groups/(fanin-1)+log2(groups)+1)
 * names:   arrivals at node {i} = 2*i*line, i < groups/(fanin-1)+log2(groups)+1
 * names:   release flag of node {i} = (2*i+1)*line, i < groups/(fanin-1)+log2(groups)+1
 * data:    cells uint 2*groups*local-size zero
 * checks:  rounds*groups*local-size
 *
 * No word has more than `fanin` groups that add to it or wait for it. Nodes are numbered level by level from
 * the leaves, so the root is the last. A group waits at one node at most, the first that it did not complete;
 * it then releases the nodes below that one, which it did complete.
 *
 * Fault full-tree: takes each node to have `fanin` members, although the last of a level may have fewer.
 */
#include "group.h"
#include "publish.h"

/* Levels of a tree with two members in a node, over all the groups that there can be. */
#define LEVELS_MOST 32

static uint node_counter(const struct gl_self *self, uint node)
{
    return gl_sync(self, 2 * node * GL_LINE);
}

static uint node_release(const struct gl_self *self, uint node)
{
    return gl_sync(self, (2 * node + 1) * GL_LINE);
}

/*
 * Goes up as long as this group is the last to arrive. Returns how many nodes it came to, and their numbers
 * in `path`; `complete`: it was the last at the root, too.
 */
static uint climb(const struct gl_self *self, uint round, uint *path, bool *complete)
{
    const uint fanin = gl_own(self, PARAM_FANIN);
    uint member = self->group;   /* number on its level of the group, later of the node */
    uint members = self->groups; /* on that level */
    uint first = 0;              /* node of the level above */
    uint depth = 0;

    do {
        const uint node = member / fanin;
#if defined(FAULT_FULL_TREE)
        const uint due = fanin;
#else
        const uint due = min(fanin, members - node * fanin);
#endif
        path[depth++] = first + node;
        *complete = gl_add(self->board + node_counter(self, first + node), 1) + 1 == round * due;
        member = node;
        members = (members + fanin - 1) / fanin;
        first += members;
    } while (*complete && members > 1);
    return depth;
}

static void arrive_and_wait(struct gl_self *self, uint round)
{
    uint path[LEVELS_MOST];
    bool complete;

    gl_round(self, round);
    uint depth = climb(self, round, path, &complete);
    if (!complete && !gl_wait(self, node_release(self, path[--depth]), round, GL_GROUP_ALL))
        return;
    while (depth > 0)
        gl_release(self->board + node_release(self, path[--depth]), round);
}

GL_KERNEL void barrier_tree(global uint *board, global uint *cells)
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
