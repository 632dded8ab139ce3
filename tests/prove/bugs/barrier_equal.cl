// Waits until the counter is exactly what it is when all have come: a fast block comes to the next barrier before a
// slow one has looked, and the slow one waits for ever. Public: cuML #458 (GridSync, several calls of sync).

kernel void wrong(volatile global uint *count)
{
    for (uint round = 1; round <= 2; ++round) {
        atomic_inc(count);
        while (atomic_add(count, 0) != round * get_num_groups(0))
            ;
    }
}

kernel void mended(volatile global uint *count)
{
    for (uint round = 1; round <= 2; ++round) {
        atomic_inc(count);
        while (atomic_add(count, 0) < round * get_num_groups(0))
            ;
    }
}
