// The prefix sums of each group, by doubling, with a barrier after reading and one after writing.

kernel void prefix_sum(global const uint *in, global uint *out, local uint *sums)
{
    const uint at = get_local_id(0);

    sums[at] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 1; step < get_local_size(0); step *= 2) {
        const uint left = at >= step ? sums[at - step] : 0;

        barrier(CLK_LOCAL_MEM_FENCE);
        sums[at] += left;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sums[at];
}
