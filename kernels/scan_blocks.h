/*
 * Scans over the whole array: each group scans one block of consecutive items, and gets the sum of all
 * items before it from the groups that scan the blocks before it. Which block is whose is the kernel's option `order`:
 *
 *   ORDER_ID       block b is group b's
 *   ORDER_TICKET   block b is that of the group which drew ticket b when it started
 *   ORDER_REVERSE  block b is group (groups - 1 - b)'s, as if the device started high ids first
 *
 * The words of a block: its state, and places for what is published. The state is 0 at first, with tickets soon
 * the group's id plus 1; from SCAN_READY on it says what has been published.
 */
#ifndef GRIDLOCK_SCAN_BLOCKS_H
#define GRIDLOCK_SCAN_BLOCKS_H

#include "reduce_local.h"
#include "scan_local.h"

#define SCAN_READY 0x80000000u

struct scan_block {
    uint number;
    uint first; /* its items: from `first` to before `end`; blocks at the end may be empty */
    uint end;
};

/* Index on the board of a block's state; behind it are GL_LINE - 1 words for what is published. */
static uint scan_state(const struct gl_self *self, uint block)
{
    return gl_sync(self, (block + 1) * GL_LINE);
}

/* Who scans a block, as a wait for its state is to say. */
static uint scan_owner(const struct gl_self *self, uint block)
{
#if defined(ORDER_TICKET)
    return GL_GROUP_OWNER;
#elif defined(ORDER_REVERSE)
    return self->groups - 1 - block;
#else
    return block;
#endif
}

#if defined(ORDER_TICKET)
/* The leader draws a ticket, and writes its group's name on the block, unless that was already published by another. */
static uint scan_draw(const struct gl_self *self)
{
    const uint block = gl_add(self->board + gl_sync(self, 0), 1);
    gl_compare_exchange(self->board + scan_state(self, block), 0, self->group + 1);
    return block;
}
#endif

static struct scan_block scan_bounds(const struct gl_self *self, uint number, uint items)
{
    const uint most = (items + self->groups - 1) / self->groups;
    const struct scan_block block = {number, min(number * most, items), min((number + 1) * most, items)};
    return block;
}

/* The block of this group. All work-items call it; `drawn` is a word of local memory. */
GL_INLINE struct scan_block scan_take(const struct gl_self *self, local uint *drawn, uint items)
{
#if defined(ORDER_TICKET)
    if (self->leader)
        *drawn = scan_draw(self);
    barrier(CLK_LOCAL_MEM_FENCE);
    return scan_bounds(self, *drawn, items);
#else
    return scan_bounds(self, scan_owner(self, self->group), items);
#endif
}

/* The sum of a block's items, for all work-items. */
GL_INLINE item scan_sum(local item *scratch, global const item *input, struct scan_block block)
{
    const uint first = block.first + (uint)get_local_id(0);
    return reduce_local(scratch, reduce_stride(input, first, block.end, GL_LOCAL_SIZE));
}

/* Writes the scan of a block, before which all items add up to `prefix`. */
GL_INLINE void scan_write(local item *scratch, global const item *input, global item *output, struct scan_block block,
                          item prefix)
{
    for (uint first = block.first; first < block.end; first += GL_LOCAL_SIZE) {
        const uint i = first + (uint)get_local_id(0);
        item total;
        const item sum = scan_local(scratch, i < block.end ? input[i] : 0, &total);
        if (i < block.end)
            output[i] = item_add(prefix, sum);
        prefix = item_add(prefix, total);
    }
}

#endif
