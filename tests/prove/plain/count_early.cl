// How many numbers are small: the first work-item writes out the count of its group before all have counted.

kernel void count(global const uint *in, global uint *out)
{
    local uint small;

    if (get_local_id(0) == 0)
        small = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (in[get_global_id(0)] < 100)
        atomic_inc(&small);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = atomic_add(&small, 0);
}
