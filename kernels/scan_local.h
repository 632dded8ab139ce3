/*
 * An inclusive sum scan within a work-group, after Hillis and Steele, CACM 1986: step by step a work-item adds
 * what stands 1, 2, 4 ... places before its own. Two buffers take turns, so that no step reads what it writes.
 */
#ifndef GRIDLOCK_SCAN_LOCAL_H
#define GRIDLOCK_SCAN_LOCAL_H

#include "item.h"

#define SCAN_LOCAL_ITEMS (2 * GL_LOCAL_SIZE)

/* All work-items of the group call it; each gets the sum of the values up to its own, and `total` that of all. */
GL_INLINE item scan_local(local item *scratch, item value, item *total)
{
    const uint me = (uint)get_local_id(0);
    local item *from = scratch;
    local item *to = scratch + GL_LOCAL_SIZE;

    barrier(CLK_LOCAL_MEM_FENCE); /* the last call's total has been read */
    from[me] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = 1; distance < GL_LOCAL_SIZE; distance *= 2) {
        to[me] = me < distance ? from[me] : item_add(from[me - distance], from[me]);
        barrier(CLK_LOCAL_MEM_FENCE);
        local item *const written = to;
        to = from;
        from = written;
    }
    *total = from[GL_LOCAL_SIZE - 1];
    return from[me];
}

#endif
