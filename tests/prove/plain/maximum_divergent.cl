// The largest number of a group; the barrier is in the branch of those that have a number.

kernel void maximum(global const uint *in, global uint *most, uint count)
{
    local uint own;

    if (get_local_id(0) == 0)
        own = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_global_id(0) < count) {
        atomic_max(&own, in[get_global_id(0)]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (get_local_id(0) == 0)
        atomic_max(most, own);
}
