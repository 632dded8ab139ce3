/*
 * kernel:  items_branch
 * purpose: the last work-item of a group waits in a branch for a flag of its first one, or the first for the last
 * needs:   work-items of a group that make progress by themselves; if the last one waits, the lowest not yet done
 * fails:   one after another, or in lock-step, the one that waits holds up the one that it waits for
 * source:  gridlock
 * option:  waits = last | first
 * option:  set = other | behind
 * words:   groups*line
 * names:   flag of group {i} = i*line, i < groups
 * checks:  rounds*groups*local-size
 *
 * The flag is set on the other side of the branch, or behind it, where in lock-step all have to come together first.
 * With one work-item in a group nobody waits.
 */
#define GL_EVERY_ITEM
#include "group.h"

GL_KERNEL void items_branch(global uint *board)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint flag = gl_sync(&self, self.group * GL_LINE);
    const uint item = (uint)get_local_id(0), last = GL_LOCAL_SIZE - 1;
    const uint rounds = gl_parameter(board, GL_ROUNDS);
#if defined(WAITS_FIRST)
    const uint waits = 0, sets = last;
#else
    const uint waits = last, sets = 0;
#endif
    for (uint round = 1; round <= rounds; ++round) {
        gl_round(&self, round);
        gl_gather(&self);
        if (item == waits && last != 0)
            gl_wait(&self, flag, round, GL_GROUP_SELF);
#if defined(SET_OTHER)
        else
#endif
            if (item == sets)
            gl_release(self.board + flag, round);
        if (!gl_proceed(&self))
            return;
        gl_check(&self, self.group, gl_load(board + flag), round, round - 1);
    }
    gl_leave(&self);
}
