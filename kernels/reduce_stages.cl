/*
 * kernel:  reduce_stages
 * purpose: a reduction in two launches: the end of the first is the barrier between the groups
 * needs:   nothing
 * fails:   never: no group waits for another
 * source:  Harris, Optimizing Parallel Reduction in CUDA, NVIDIA 2007 (kernel decomposition)
 * option:  type = int | long | float
 * option:  op = sum | product | min | max
 * param:   items = 100003 in 1..1073741824  length of the input, in items
 * data:    input item items seeded
 * data:    partials item groups zero
 * data:    output item 1 zero
 * result:  output[0] = reduce(input)
 * launches: 2
 *
 * The first launch leaves one partial result of each group; in the second one group 0 combines them.
 */
#include "reduce_local.h"

GL_KERNEL void reduce_stages(global uint *board, global const item *input, global item *partials, global item *output)
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
    if (gl_parameter(board, GL_PASS) == 0) {
        const item part = reduce_share(&self, &ahead, scratch, input, items);
        if (self.leader)
            partials[self.group] = part;
    } else if (self.group == 0) {
        const item part = reduce_stride(partials, (uint)get_local_id(0), self.groups, GL_LOCAL_SIZE);
        const item whole = reduce_local(scratch, part);
        if (self.leader)
            output[0] = whole;
    }
    gl_leave(&self);
}
