// The prefix sums of each group, by doubling in one array: a work-item reads what its neighbour is just adding to.

kernel void prefix_sum(global uint *sums)
{
    const uint at = get_local_id(0), first = get_group_id(0) * get_local_size(0);

    sums[first + at] = 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (uint step = 1; step < get_local_size(0); step *= 2) {
        if (at >= step)
            sums[first + at] += sums[first + at - step];
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
