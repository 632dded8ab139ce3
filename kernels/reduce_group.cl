/*
 * kernel:  reduce_group
 * purpose: a reduction within each group by the built-in work-group functions
 * needs:   nothing
 * fails:   never: no group waits for another
 * source:  Khronos, The OpenCL C Specification, work-group collective functions
 * option:  type = int | long | float
 * option:  op = sum | min | max
 * data:    input item groups*local-size seeded
 * data:    output item groups zero
 * result:  output = group-reduce(input)
 *
 * OpenCL C has no built-in product.
 */
#include "group_offered.h"
#include "item.h"

static item reduce_built_in(item value)
{
#if defined(OP_MIN)
    return work_group_reduce_min(value);
#elif defined(OP_MAX)
    return work_group_reduce_max(value);
#else
    return work_group_reduce_add(value);
#endif
}

GL_KERNEL void reduce_group(global uint *board, global const item *input, global item *output)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const item whole = reduce_built_in(input[self.group * GL_LOCAL_SIZE + get_local_id(0)]);
    if (self.leader)
        output[self.group] = whole;
    gl_leave(&self);
}
