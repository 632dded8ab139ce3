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
    for (uint width = GL_LOCAL_SIZE, columns = REDUCE_COLUMNS; width > 1; width = min(width, columns), columns = 1) {
        if (me < columns)
            for (uint i = me + columns; i < width; i += columns)
                scratch[me] = item_combine(scratch[me], scratch[i]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return scratch[0];
}

/*
 * The share of one work-item in a buffer: of every `work_items` successive fours of items one, and of the items left
 * over at the end, less than four, at most one. Memory is the bound if enough reads are on their way, so
 * that eight are issued before the first is needed, and those of the first turn before the kernel has begun.
 */
struct reduce_reads {
    item4 next[REDUCE_READS];
    uint count; /* fours in the share */
};

/* Issues `count` reads, eight at most, of the fours at i, i + stride ... */
GL_INLINE void reduce_issue(item4 *next, global const item4 *fours, uint i, uint stride, uint count)
{
    GL_UNROLL(REDUCE_READS)
    for (uint k = 0; k < REDUCE_READS; ++k)
        next[k] = k < count ? fours[i + k * stride] : (item4)(ITEM_IDENTITY);
}

GL_INLINE item4 reduce_take(item4 sum, const item4 *next)
{
    GL_UNROLL(REDUCE_READS)
    for (uint k = 0; k < REDUCE_READS; ++k)
        sum = item_combine4(sum, next[k]);
    return sum;
}

/*
 * Issues the first reads of this work-item's share of items[0] ... items[count - 1]. It may be called before gl_enter,
 * whose own accesses then take their time together with these.
 */
GL_INLINE void reduce_read_ahead(struct reduce_reads *reads, global const uint *board, global const item *items,
                                 uint count)
{
    const uint work_items = gl_parameter(board, GL_GROUPS) * GL_LOCAL_SIZE;
    const uint first = gl_group() * GL_LOCAL_SIZE + (uint)get_local_id(0);
    const uint end = count / 4;

    reads->count = first < end ? (end - 1 - first) / work_items + 1 : 0;
    reduce_issue(reads->next, (global const item4 *)items, first, work_items, reads->count);
}

GL_INLINE item reduce_rest(const struct gl_self *self, struct reduce_reads *reads, global const item *items, uint count)
{
    global const item4 *fours = (global const item4 *)items;
    const uint work_items = self->groups * GL_LOCAL_SIZE;
    const uint first = self->group * GL_LOCAL_SIZE + (uint)get_local_id(0);
    item4 sum = reduce_take((item4)(ITEM_IDENTITY), reads->next);
    uint done = REDUCE_READS;

    for (; done + REDUCE_READS <= reads->count; done += REDUCE_READS) {
        reduce_issue(reads->next, fours, first + done * work_items, work_items, REDUCE_READS);
        sum = reduce_take(sum, reads->next);
    }
    if (done < reads->count) {
        reduce_issue(reads->next, fours, first + done * work_items, work_items, reads->count - done);
        sum = reduce_take(sum, reads->next);
    }
    const item left_over = reduce_stride(items + count / 4 * 4, first, count % 4, work_items);
    return item_combine(item_combine(item_combine(sum.x, sum.y), item_combine(sum.z, sum.w)), left_over);
}

/* This group's share of items[0] ... items[count - 1], combined, of which the first reads have been issued. */
GL_INLINE item reduce_share(const struct gl_self *self, struct reduce_reads *ahead, local item *scratch,
                            global const item *items, uint count)
{
    return reduce_local(scratch, reduce_rest(self, ahead, items, count));
}

#endif
