// Every work-item takes the lock, and keeps it until its group has met at a barrier, which the others of the group
// never reach. Public: xlite-dev/LeetCUDA #391 asks why this does not hang where one lane takes the lock for all.

kernel void wrong(volatile global uint *lock, global uint *cells)
{
    while (atomic_cmpxchg(lock, 0, 1) != 0)
        ;
    cells[get_local_id(0)] += 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(lock, 0);
}

kernel void mended(volatile global uint *lock, global uint *cells)
{
    if (get_local_id(0) == 0) {
        while (atomic_cmpxchg(lock, 0, 1) != 0)
            ;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    cells[get_local_id(0)] += 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_xchg(lock, 0);
}
