/*
 * kernel:  items_cross
 * purpose: one work-item waits while another one of its group computes and then sets what others wait for
 * needs:   work-items that make progress by themselves
 * fails:   where work-items run one after another the one that waits holds up the one that computes
 * source:  gridlock
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  way = self | cross
 * param:   ms = 100 in 0..60000  how long the work-item computes
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   2*(groups+1)*line
 * data:    sums uint groups zero
 * checks:  groups*local-size
 *
 * self: the last work-item waits for the first one of its group, which computes. cross: groups come in pairs; in the
 * first of a pair work-item 0 waits for an answer of the second group, which waits for the last work-item of the first
 * one.
 */
#define GL_EVERY_ITEM
#include "busy.h"

static void wait_alone(struct gl_self *self, global uint *sum, uint item)
{
    const uint flag = gl_sync(self, self->group * GL_LINE);

    if (item == 0) {
        busy_ms(self, sum, gl_own(self, PARAM_MS));
        gl_release(self->board + flag, 1);
    } else if (item == GL_LOCAL_SIZE - 1) {
        gl_wait(self, flag, 1, GL_GROUP_SELF);
    }
}

static void wait_across(struct gl_self *self, global uint *sum, uint item)
{
    const uint question = gl_sync(self, self->group / 2 * 2 * GL_LINE);
    const uint answer = question + GL_LINE;
    const bool first = self->group % 2 == 0;

    if (first && self->group + 1 == self->groups)
        return;
    if (first && item == 0) {
        gl_wait(self, answer, 1, self->group + 1);
    } else if (first && item == GL_LOCAL_SIZE - 1) {
        busy_ms(self, sum, gl_own(self, PARAM_MS));
        gl_release(self->board + question, 1);
    } else if (!first && item == 0) {
        if (gl_wait(self, question, 1, self->group - 1))
            gl_release(self->board + answer, 1);
    }
}

GL_KERNEL void items_cross(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint item = (uint)get_local_id(0);
    gl_gather(&self);
#if defined(WAY_CROSS)
    wait_across(&self, sums + self.group, item);
#else
    wait_alone(&self, sums + self.group, item);
#endif
    if (!gl_proceed(&self))
        return;
    gl_check(&self, item, 1, 1, 0);
    gl_leave(&self);
}
