/*
 * Which thread of a launch a work-item is: by its group, or, below that, by its place in the group or sub-group.
 * GL_LEVEL says what threads are.
 */
#ifndef GRIDLOCK_LITMUS_LEVEL_H
#define GRIDLOCK_LITMUS_LEVEL_H

#include "abi.h"

#if !defined(GL_LEVEL)
#define GL_LEVEL GL_LEVEL_GROUP
#endif

#define LITMUS_NO_THREAD 0xffffffffu /* as SUB_GROUP_NONE */

#if GL_LEVEL == GL_LEVEL_SUB_GROUP || GL_LEVEL == GL_LEVEL_LANE
#include "sub_groups.h"
#endif

/* Notes on the page if this launch's sub-groups are not as they were found to be. */
static void litmus_check_sub_groups(global uint *page)
{
#if GL_LEVEL == GL_LEVEL_SUB_GROUP || GL_LEVEL == GL_LEVEL_LANE
    const uint sub_group = sub_group_place();

    if (sub_group_count() != page[GL_PAGE_SUB_GROUPS] || sub_group >= page[GL_PAGE_SUB_GROUPS] ||
        (sub_group == 0 && sub_group_lanes() != page[GL_PAGE_LANES]))
        page[GL_PAGE_CHANGED] = 1;
#endif
}

/* The number of the work-item's thread, or LITMUS_NO_THREAD. */
static uint litmus_id(global const uint *page)
{
#if GL_LEVEL == GL_LEVEL_ITEM
    const uint place = (uint)(get_local_id(1) * get_local_size(0) + get_local_id(0));
#elif GL_LEVEL == GL_LEVEL_LANE
    const uint place = sub_group_lane();
#elif GL_LEVEL == GL_LEVEL_SUB_GROUP
    const uint place = sub_group_lane() == 0 ? sub_group_place() : LITMUS_NO_THREAD;
#else
    const uint place = get_local_id(0) == 0 ? (uint)get_group_id(0) : LITMUS_NO_THREAD;
#endif
    const uint stride = page[GL_PAGE_STRIDE];

    return place % stride == 0 && place / stride < page[GL_PAGE_GROUPS] ? place / stride : LITMUS_NO_THREAD;
}

#endif
