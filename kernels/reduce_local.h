/*
 * Reduction within a work-group: each work-item combines its share of a buffer, then a tree in local memory
 * combines the work-items' values. Any size of group will do. All work-items of a group call these together.
 */
#ifndef GRIDLOCK_REDUCE_LOCAL_H
#define GRIDLOCK_REDUCE_LOCAL_H

#include "item.h"

#define REDUCE_READS 8u
#define REDUCE_COLUMNS 16u

/* Combines items[first], items[first + stride] ... before `end`. */
static item reduce_stride(global const item *items, uint first, uint end, uint stride)
{
    item value = ITEM_IDENTITY;
    for (uint i = first; i < end; i += stride)
        value = item_combine(value, items[i]);
    return value;
}

/* The same where other groups write the items in this launch: no read may be served from an old copy. */
static item reduce_shared(volatile global const item *items, uint first, uint end, uint stride)
{
    item value = ITEM_IDENTITY;
    for (uint i = first; i < end; i += stride)
        value = item_combine(value, items[i]);
    return value;
}

/* Combines the work-items' values; all of them get the result. `scratch` holds one item for each. */
GL_INLINE item reduce_local(local item *scratch, item value)
{
    const uint me = (uint)get_local_id(0);

    barrier(CLK_LOCAL_MEM_FENCE); /* the last call's result has been read */
    scratch[me] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    /* Two steps, to 16 and to 1, where a binary tree has one for each level: what takes time are the barriers. */
    for (uint width = GL_LOCAL_SIZE, columns = REDUCE_COLUMNS; width > 1; width = columns, columns = 1) {
        if (me < columns)
            for (uint i = me + columns; i < width; i += columns)
                scratch[me] = item_combine(scratch[me], scratch[i]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return scratch[0];
}

/*
 * The share of one work-item in `work_items`: four items at a time, and eight of those before the first is needed,
 * which keeps enough reads on their way to make memory the bound. What is left over at the end is less
 * than four items.
 */
static item reduce_wide(global const item *items, uint first, uint count, uint work_items)
{
    global const item4 *fours = (global const item4 *)items;
    const uint end = count / 4;
    const uint turns = work_items <= end / REDUCE_READS ? end / (REDUCE_READS * work_items) : 0; /* without overflow */
    item4 sum = (item4)(ITEM_IDENTITY);
    item4 next[REDUCE_READS];
    uint i = first;

    for (uint turn = 0; turn < turns; ++turn, i += REDUCE_READS * work_items) {
        __attribute__((opencl_unroll_hint(REDUCE_READS)))
        for (uint k = 0; k < REDUCE_READS; ++k)
            next[k] = fours[i + k * work_items];
        __attribute__((opencl_unroll_hint(REDUCE_READS)))
        for (uint k = 0; k < REDUCE_READS; ++k)
            sum = item_combine4(sum, next[k]);
    }
    /* The rest is less than one more turn, and its reads go out together as well. */
    __attribute__((opencl_unroll_hint(REDUCE_READS)))
    for (uint k = 0; k < REDUCE_READS; ++k)
        next[k] = i + k * work_items < end ? fours[i + k * work_items] : (item4)(ITEM_IDENTITY);
    __attribute__((opencl_unroll_hint(REDUCE_READS)))
    for (uint k = 0; k < REDUCE_READS; ++k)
        sum = item_combine4(sum, next[k]);
    const item left_over = reduce_stride(items, 4 * end + first, count, work_items);
    return item_combine(item_combine(item_combine(sum.x, sum.y), item_combine(sum.z, sum.w)), left_over);
}

/* This group's share of items[0] ... items[count - 1], combined. */
GL_INLINE item reduce_share(const struct gl_self *self, local item *scratch, global const item *items, uint count)
{
    const uint first = self->group * GL_LOCAL_SIZE + (uint)get_local_id(0);
    return reduce_local(scratch, reduce_wide(items, first, count, self->groups * GL_LOCAL_SIZE));
}

#endif
