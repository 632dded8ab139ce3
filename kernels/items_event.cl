/*
 * kernel:  items_event
 * purpose: the first work-item of a group waits for an event that its last work-item sets, with no barrier between them
 * needs:   work-items of a group that make progress by themselves
 * fails:   where work-items run one after another, or in lock-step, the first one waits for one that waits behind it
 * source:  gridlock
 * words:   groups*line
 * names:   event of group {i} = i*line, i < groups
 * data:    cells uint groups zero
 * checks:  groups
 *
 * With one work-item in a group nobody waits.
 */
#include "group.h"
#include "publish.h"

GL_KERNEL void items_event(global uint *board, global uint *cells)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint event_word = gl_sync(&self, self.group * GL_LINE);
    const uint item = (uint)get_local_id(0);
    global uint *cell = cells + self.group;
    gl_gather(&self);
    if (self.leader && GL_LOCAL_SIZE > 1)
        gl_wait(&self, event_word, 1, GL_GROUP_SELF);
    if (item == GL_LOCAL_SIZE - 1 && gl_load(board + GL_STOP) == 0) { /* too late, it would only blur the evidence */
        publish_store(cell, publish_value(self.group, 1));
        gl_release(self.board + event_word, 1);
    }
    if (!gl_proceed(&self))
        return;
    if (self.leader)
        gl_check(&self, self.group, publish_load(cell), publish_value(self.group, 1), 0);
    gl_leave(&self);
}
