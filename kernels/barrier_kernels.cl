/*
 * kernel:  barrier_kernels
 * purpose: the control: a barrier that is the end of one launch and the begin of the next, so that nobody waits
 * needs:   nothing
 * fails:   it cannot stall; if it reads old values, the driver does not order two launches of one queue
 * source:  gridlock
 * option:  access = plain | volatile | atomic
 * data:    cells uint 2*groups*local-size zero
 * checks:  groups*local-size
 * launches: 3
 *
 * Each launch is a round. It checks what the last one wrote, the first launch that the cells are still 0, and writes
 * the cells of the other parity.
 */
#include "group.h"
#include "publish.h"

GL_KERNEL void barrier_kernels(global uint *board, global uint *cells)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint pass = gl_parameter(board, GL_PASS);
    gl_delay(&self, pass + 1);
    publish_check(&self, cells, pass);
    publish_write(&self, cells, pass + 1);
    gl_leave(&self);
}
