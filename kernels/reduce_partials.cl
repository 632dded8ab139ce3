/*
 * kernel:  reduce_partials
 * purpose: a reduction in which each group writes one partial result and the host combines these
 * needs:   nothing
 * fails:   never: no group waits for another
 * source:  Harris, Optimizing Parallel Reduction in CUDA, NVIDIA 2007
 * option:  type = int | long | float
 * option:  op = sum | product | min | max
 * param:   items = 100003 in 1..1073741824  length of the input, in items
 * data:    input item items seeded
 * data:    partials item groups zero
 * result:  reduce(partials) = reduce(input)
 */
#include "reduce_local.h"

GL_KERNEL void reduce_partials(global uint *board, global const item *input, global item *partials)
{
    local item scratch[GL_LOCAL_SIZE];
    local uint leaving;
    struct gl_self self;
    struct reduce_reads ahead;
    const uint items = gl_parameter(board, GL_OWN + PARAM_ITEMS);

    reduce_read_ahead(&ahead, board, input, items);
    if (!gl_enter(&self, board, &leaving))
        return;
    gl_delay(&self, 1);
    const item part = reduce_share(&self, &ahead, scratch, input, items);
    if (self.leader)
        partials[self.group] = part;
    gl_leave(&self);
}
