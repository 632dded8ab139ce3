/*
 * kernel:  handover_sub_groups
 * purpose: the sub-groups of a group take turns, in ascending or descending order, without a barrier between them
 * needs:   sub-groups that make progress by themselves; in ascending order the lowest one that is not done will do
 * fails:   a sub-group that waits keeps the one that it waits for from running
 * source:  gridlock
 * option:  direction = up | down
 * words:   groups*line
 * names:   turn of group {i} = i*line, i < groups
 * data:    cells uint groups zero
 * result:  reduce(cells) = rounds*groups*local-size
 *
 * The first work-item of each sub-group acts. Where a group is one sub-group nobody waits.
 */
#define GL_EVERY_ITEM
#include "group.h"
#include "sub_groups.h"

#if defined(GL_DIALECT_PTX) && GL_LOCAL_SIZE % 32 != 0
#error "unsupported: a group of work-items that are no whole warps"
#endif

GL_KERNEL void handover_sub_groups(global uint *board, global uint *cells)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint count = sub_group_count();
    const uint word = gl_sync(&self, self.group * GL_LINE);
    const uint rounds = gl_parameter(board, GL_ROUNDS);
#if defined(DIRECTION_DOWN)
    uint turn = count - 1 - sub_group_place();
#else
    uint turn = sub_group_place();
#endif
    for (uint round = 1; round <= rounds; ++round, turn += count) {
        gl_round(&self, round);
        gl_gather(&self);
        if (sub_group_lane() == 0 && gl_wait(&self, word, turn, GL_GROUP_SELF)) {
            cells[self.group] += sub_group_lanes();
            gl_release(self.board + word, turn + 1);
        }
        if (!gl_proceed(&self))
            return;
    }
    gl_leave(&self);
}
