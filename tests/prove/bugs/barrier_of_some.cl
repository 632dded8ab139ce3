// After its wait for another group, only the half that waited meets at the barrier.
// Public: gwoltman/gpuowl #15 (barriers in carryFused that only a part of the work-group reaches).

kernel void wrong(volatile global uint *flags, global uint *cells)
{
    const uint group = get_group_id(0);

    if (get_local_id(0) == 0) {
        while (group > 0 && atomic_add(flags + group - 1, 0) == 0)
            ;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    cells[get_global_id(0)] = 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_xchg(flags + group, 1);
}

kernel void mended(volatile global uint *flags, global uint *cells)
{
    const uint group = get_group_id(0);

    if (get_local_id(0) == 0) {
        while (group > 0 && atomic_add(flags + group - 1, 0) == 0)
            ;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    cells[get_global_id(0)] = 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_xchg(flags + group, 1);
}
