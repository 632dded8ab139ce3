// Whoever gives back the last reference cleans up, and finds out by looking at the count once more: two that have given
// back theirs both see 0. Mended, what the subtraction returned decides.

static void clean_up(__global uint *freed)
{
    atomic_inc(freed);
}

__kernel void wrong(volatile __global int *count, __global uint *freed)
{
    __local int last;

    atomic_inc(count);
    if (get_local_id(0) == 0) {
        atomic_dec(count + 1);
        last = atomic_add(count + 1, 0) == -(int)get_num_groups(0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (last && get_local_id(0) == 0)
        clean_up(freed);
}

__kernel void mended(volatile __global int *count, __global uint *freed)
{
    __local int last;

    atomic_inc(count);
    if (get_local_id(0) == 0)
        last = atomic_dec(count + 1) == 1 - (int)get_num_groups(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (last && get_local_id(0) == 0)
        clean_up(freed);
}
