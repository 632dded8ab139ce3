/*
 * kernel:  item_chain
 * purpose: each work-item waits for its own neighbour in another group
 * needs:   all groups resident together, and work-items that make progress by themselves
 * fails:   two work-items of two groups that wait for each other
 * source:  gridlock
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  way = chain | crossed
 * param:   ms = 50 in 0..60000  how long a group computes
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   (groups*local-size+1)*line
 * data:    sums uint groups zero
 * checks:  groups*local-size
 *
 * chain: the work-items of the last group go first, of which the first one computes. crossed: the first work-items of
 * the first two groups wait for each other; all others end.
 */
#define GL_EVERY_ITEM
#include "busy.h"

static void act(struct gl_self *self, global uint *sum, uint item)
{
    const uint mine = gl_sync(self, (self->group * GL_LOCAL_SIZE + item) * GL_LINE);
    const uint next = mine + GL_LOCAL_SIZE * GL_LINE, before = mine - GL_LOCAL_SIZE * GL_LINE;
    bool goes_on = true;

#if defined(WAY_CROSSED)
    if (self->groups == 1 || self->group > 1 || item != 0)
        return;
    goes_on = self->group == 0 ? gl_wait(self, next, 1, 1) : gl_wait(self, before, 1, 0);
#else
    if (self->group + 1 < self->groups)
        goes_on = gl_wait(self, next, 1, self->group + 1);
    else if (item == 0)
        busy_ms(self, sum, gl_own(self, PARAM_MS));
    (void)before;
#endif
    if (goes_on)
        gl_release(self->board + mine, 1);
}

GL_KERNEL void item_chain(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint item = (uint)get_local_id(0);
    gl_gather(&self);
    act(&self, sums + self.group, item);
    if (!gl_proceed(&self))
        return;
    gl_check(&self, item, 1, 1, 0);
    gl_leave(&self);
}
