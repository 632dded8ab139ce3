/*
 * kernel:  divergent_barrier
 * purpose: a work-group barrier that only half of the work-items reach, while the others reach another one
 * needs:   more than OpenCL promises: the program is invalid
 * fails:   each half waits for the other at its own barrier for ever, or the barriers are taken for none, or for one
 * source:  gridlock
 * data:    cells uint groups*local-size zero
 * checks:  groups*local-size
 *
 * No group waits for another, and no loop of ours turns: neither fuse nor stop word can end what hangs here. A
 * work-item of one half reads what one of the other half wrote before its barrier. With one work-item there is
 * no divergence.
 */
#include "group.h"
#include "publish.h"

GL_KERNEL void divergent_barrier(global uint *board, global uint *cells)
{
    local uint scratch[GL_LOCAL_SIZE];
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint own = (uint)get_local_id(0);
    const uint half_size = GL_LOCAL_SIZE / 2;
    uint other;

    scratch[own] = 0;
    gl_gather(&self);
    if (own < half_size) {
        scratch[own] = publish_value(own, 1);
        barrier(CLK_LOCAL_MEM_FENCE);
        other = own + half_size;
        cells[get_global_id(0)] = scratch[other];
    } else {
        scratch[own] = publish_value(own, 1);
        barrier(CLK_LOCAL_MEM_FENCE);
        other = own - half_size;
        cells[get_global_id(0)] = scratch[other];
    }
    gl_check(&self, other, cells[get_global_id(0)], publish_value(other, 1), 0);
    gl_leave(&self);
}
