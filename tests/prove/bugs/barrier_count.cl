// One work-item of each group arrives, but all work-items of the launch are waited for.

kernel void wrong(volatile global uint *count)
{
    if (get_local_id(0) == 0) {
        atomic_inc(count);
        while (atomic_add(count, 0) < get_global_size(0))
            ;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
}

kernel void mended(volatile global uint *count)
{
    if (get_local_id(0) == 0) {
        atomic_inc(count);
        while (atomic_add(count, 0) < get_num_groups(0))
            ;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
}
