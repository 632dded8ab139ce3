/*
 * Sub-groups, and who a work-item is in one: those of OpenCL C 3.0's feature or of cl_khr_subgroups, or a GPU's warps.
 * A build that ends with "unsupported:" says that there is nothing to try.
 */
#ifndef GRIDLOCK_SUB_GROUPS_H
#define GRIDLOCK_SUB_GROUPS_H

#define SUB_GROUP_NONE 0xffffffffu

/* In a group of one or two dimensions. */
static uint sub_group_item(void)
{
    return (uint)(get_local_id(1) * get_local_size(0) + get_local_id(0));
}

#if defined(GL_DIALECT_PTX)

/* A sub-group is a warp; which items are in it is told by its first lane, which hands its own place to all others. */
static uint sub_group_lane(void)
{
    uint lane;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}
static uint sub_group_lanes(void)
{
    return 32;
}
static uint sub_group_place(void)
{
    const uint item = sub_group_item();
    uint first;
    asm volatile("shfl.sync.idx.b32 %0, %1, 0, 31, 0xffffffff;" : "=r"(first) : "r"(item));
    return first + sub_group_lane() == item && first % 32 == 0 ? first / 32 : SUB_GROUP_NONE;
}
static uint sub_group_count(void)
{
    return (uint)(get_local_size(0) * get_local_size(1) / 32);
}

#else

#if defined(cl_khr_subgroups)
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#elif !defined(__opencl_c_subgroups)
#error "unsupported: the device offers no sub-groups in this dialect"
#endif

static uint sub_group_lane(void)
{
    return get_sub_group_local_id();
}
static uint sub_group_lanes(void)
{
    return get_sub_group_size();
}
static uint sub_group_place(void)
{
    return get_sub_group_id();
}
static uint sub_group_count(void)
{
    return get_num_sub_groups();
}

#endif
#endif
