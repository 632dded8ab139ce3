/*
 * kernel:  neighbour
 * purpose: each group waits for the flag of the one with the next id, and the last group has no such neighbour; or each
 *          waits for itself
 * needs:   nothing
 * fails:   the last group waits for one that is not there
 * source:  gridlock
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  whom = next | self
 * param:   ms = 0 in 0..60000  how long the last group computes before
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   (groups+1)*line
 * data:    sums uint groups zero
 * checks:  groups
 */
#include "busy.h"

GL_KERNEL void neighbour(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint next = self.group + 1;
    gl_gather(&self);
    if (self.leader) {
        if (next == self.groups)
            busy_ms(&self, sums + self.group, gl_own(&self, PARAM_MS));
        gl_release(board + gl_sync(&self, self.group * GL_LINE), 1);
#if defined(WHOM_SELF)
        gl_wait(&self, gl_sync(&self, next * GL_LINE), 2, self.group);
#else
        gl_wait(&self, gl_sync(&self, next * GL_LINE), 1, next);
#endif
    }
    if (!gl_proceed(&self))
        return;
    busy_end(&self);
}
