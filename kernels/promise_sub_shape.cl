/*
 * kernel:  promise_sub_shape
 * purpose: each work-item of a group says of which sub-group it is, and how large these are
 * needs:   nothing
 * fails:   what they say is not what the driver says of this launch
 * source:  gridlock
 */
#include "promise_sub_group.h"

kernel void promise_sub_shape(global uint *told)
{
    const uint me =
        (uint)(get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2)));

    told[me * 5] = get_num_sub_groups();
    told[me * 5 + 1] = get_sub_group_id();
    told[me * 5 + 2] = get_sub_group_local_id();
    told[me * 5 + 3] = get_sub_group_size();
    told[me * 5 + 4] = get_max_sub_group_size();
}
