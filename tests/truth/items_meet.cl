/*
 * kernel:  items_meet
 * purpose: each work-item arrives at a barrier of all groups, and waits there for itself
 * needs:   all groups resident together, and work-items that make progress by themselves
 * fails:   where work-items run one after another the first of a group waits for those behind it
 * source:  gridlock
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  said = yes | no
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   line
 * checks:  groups
 */
#define GL_EVERY_ITEM
#include "busy.h"

GL_KERNEL void items_meet(global uint *board)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
#if defined(SAID_YES)
    if (self.leader)
        gl_round(&self, 1);
#endif
    gl_add(board + gl_sync(&self, 0), 1);
    gl_wait(&self, gl_sync(&self, 0), self.groups * GL_LOCAL_SIZE, GL_GROUP_ALL);
    if (!gl_proceed(&self))
        return;
    busy_end(&self);
}
