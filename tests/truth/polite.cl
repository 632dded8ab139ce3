/*
 * kernel:  polite
 * purpose: two groups each give way to the other, and try again: their waits are over as soon as they begin
 * needs:   nothing that would help
 * fails:   nobody ever has both words
 * source:  gridlock
 * words:   2*line
 */
#include "group.h"

GL_KERNEL void polite(global uint *board)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    if (self.leader) {
        const uint mine = gl_sync(&self, self.group % 2 * GL_LINE),
                   other = gl_sync(&self, (self.group + 1) % 2 * GL_LINE);
        gl_store(board + mine, 1);
        /* The other's word is 1 as long as its group is there: both are. */
        while (gl_wait_until(&self, mine, GL_UNTIL_EQUAL, 1, self.group) &&
               gl_compare_exchange(board + other, 0, 2) != 0)
            gl_compute(&self, 20);
    }
    if (!gl_proceed(&self))
        return;
    gl_leave(&self);
}
