// How many numbers are odd: the first work-item writes out the count before all have counted.

kernel void count(global const uint *in, global uint *out)
{
    local uint odd;

    if (get_local_id(0) == 0)
        odd = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (in[get_global_id(0)] % 2 != 0)
        atomic_inc(&odd);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = atomic_add(&odd, 0);
}
