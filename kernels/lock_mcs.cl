/*
 * kernel:  lock_mcs
 * purpose: a queue lock: each group polls its own node, and knows the group before it
 * needs:   a group that has started runs on (OBE)
 * fails:   if one group in the queue is stopped for good, all behind it wait; who never started is not in the queue
 * source:  Mellor-Crummey and Scott, ACM TOCS 1991, section 2.4
 * option:  access = plain | volatile | atomic
 * words:   (groups+2)*line
 * names:   blocked flag of group {i} = i*line, i < groups
 * names:   successor of group {i} = i*line+1, i < groups
 * names:   tail = groups*line
 * names:   groups inside = (groups+1)*line
 * data:    cells uint local-size zero
 * checks:  rounds*groups*(local-size+2)
 * result:  each(cells) = rounds*groups
 *
 * Links are ids of groups plus 1; 0 is none. The board names the group that each waiter waits for, so a stopped
 * queue can be read off it as a chain. A group that unlocks may find itself no longer last and yet without a
 * successor: that one has exchanged the tail but not yet written the link. So the unlock waits, too, but only for a
 * group that has started.
 */
#include "group.h"
#include "lock_guarded.h"

#define NODE_BLOCKED 0u
#define NODE_NEXT 1u

static uint lock_tail(const struct gl_self *self)
{
    return gl_sync(self, self->groups * GL_LINE);
}

static uint lock_node(const struct gl_self *self, uint group)
{
    return gl_sync(self, group * GL_LINE);
}

static bool lock_take(struct gl_self *self, uint round)
{
    global uint *board = self->board;
    const uint node = lock_node(self, self->group);
    const uint name = self->group + 1;

    gl_round(self, round);
    gl_store(board + node + NODE_NEXT, 0);
    gl_store(board + node + NODE_BLOCKED, 1);
    const uint before = gl_exchange(board + lock_tail(self), name);
    if (before != 0) {
        gl_release(board + lock_node(self, before - 1) + NODE_NEXT, name);
        if (!gl_wait_until(self, node + NODE_BLOCKED, GL_UNTIL_EQUAL, 0, before - 1))
            return false;
    }
    gl_takes(self, lock_tail(self));
    return true;
}

static void lock_drop(struct gl_self *self)
{
    global uint *board = self->board;
    const uint node = lock_node(self, self->group);
    const uint name = self->group + 1;

    gl_drops(self, lock_tail(self));
    if (gl_load(board + node + NODE_NEXT) == 0) {
        if (gl_compare_exchange(board + lock_tail(self), name, 0) == name)
            return;
        if (!gl_wait_until(self, node + NODE_NEXT, GL_UNTIL_DIFFERENT, 0, GL_GROUP_ANY))
            return;
    }
    gl_release(board + lock_node(self, gl_load(board + node + NODE_NEXT) - 1) + NODE_BLOCKED, 0);
}

GL_KERNEL void lock_mcs(global uint *board, global uint *cells)
{
    local uint turn;
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint guarded = gl_sync(&self, (self.groups + 1) * GL_LINE);
    const uint rounds = gl_parameter(board, GL_ROUNDS);
    for (uint round = 1; round <= rounds; ++round) {
        gl_gather(&self);
        if (self.leader && lock_take(&self, round))
            turn = guarded_enter(&self, guarded);
        if (!gl_proceed(&self))
            return;
        guarded_use(&self, cells + get_local_id(0), turn);
        gl_gather(&self);
        if (self.leader) {
            guarded_exit(&self, guarded);
            lock_drop(&self);
        }
        if (!gl_proceed(&self))
            return;
    }
    gl_leave(&self);
}
