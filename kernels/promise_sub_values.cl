/*
 * kernel:  promise_sub_values
 * purpose: what functions of a whole sub-group give each work-item of it
 * needs:   nothing
 * fails:   a value is not that which the host computes from what the work-items put in
 * source:  gridlock
 */
#include "promise_sub_group.h"

enum { TOLD = 12 };

kernel void promise_sub_values(global uint *told, global const uint *given)
{
    const uint me = (uint)get_global_id(0);
    const uint mine = given[me];
    const uint last = get_sub_group_size() - 1;

    told += me * TOLD;
    told[0] = get_sub_group_id();
    told[1] = get_sub_group_local_id();
    told[2] = sub_group_reduce_add(mine);
    told[3] = sub_group_reduce_min(mine);
    told[4] = sub_group_reduce_max(mine);
    told[5] = sub_group_scan_inclusive_add(mine);
    told[6] = sub_group_scan_exclusive_add(mine);
    told[7] = sub_group_any((int)(mine & 1)) != 0;
    told[8] = sub_group_all((int)(mine & 1)) != 0;
    told[9] = sub_group_broadcast(mine, 0);
    told[10] = sub_group_broadcast(mine, last / 2);
    told[11] = sub_group_broadcast(mine, last);
}
