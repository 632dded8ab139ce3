/*
 * kernel:  items_hand
 * purpose: a token goes from work-item to work-item, through all groups, and one of them computes while it has it
 * needs:   work-items that make progress by themselves, and all groups resident together
 * fails:   above the resident limit, and with the fault, for a token that is not handed on
 * source:  gridlock
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  fault = none | dropped | back
 * param:   ms = 100 in 0..60000  how long it computes
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   line
 * data:    sums uint groups*local-size zero
 * checks:  groups*local-size
 *
 * First through the groups, then through their work-items: item 0 of each group, item 1 of each group, and so on. The
 * first one computes. Fault dropped: it keeps the token. back: it waits until the second one, in another group, has
 * handed the token on.
 */
#define GL_EVERY_ITEM
#include "busy.h"

GL_KERNEL void items_hand(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint item = (uint)get_local_id(0);
    const uint token = gl_sync(&self, 0), turn = item * self.groups + self.group;
    const bool chosen = turn == 0;
    bool has = true;
    gl_gather(&self);
    if (turn > 0)
        has = gl_wait(&self, token, turn, (self.group + self.groups - 1) % self.groups);
    if (has && chosen)
        busy_ms(&self, sums + self.group * GL_LOCAL_SIZE + item, gl_own(&self, PARAM_MS));
#if defined(FAULT_BACK)
    if (has && chosen && self.groups > 1)
        has = gl_wait(&self, token, 2, 1);
#endif
#if defined(FAULT_DROPPED)
    if (has && !chosen)
#else
    if (has)
#endif
        gl_release(board + token, turn + 1);
    if (!gl_proceed(&self))
        return;
    gl_check(&self, item, 1, 1, 0);
    gl_leave(&self);
}
