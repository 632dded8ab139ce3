// The largest number of all, by an atomic maximum of each group's largest.

kernel void maximum(global const uint *in, global uint *most)
{
    local uint own;

    if (get_local_id(0) == 0)
        own = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_max(&own, in[get_global_id(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_max(most, own);
}
