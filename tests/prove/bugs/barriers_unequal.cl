// Groups meet after each pass over their tiles, but how many passes there are depends on the group: the one with fewer
// tiles leaves, and the others wait for it. Mended, all make as many passes as the group with most.

static void meet(volatile global uint *count, uint *episode)
{
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        *episode += get_num_groups(0);
        atomic_inc(count);
        while (atomic_add(count, 0) < *episode)
            ;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
}

kernel void wrong(volatile global uint *count, volatile global uint *done, uint tiles)
{
    uint episode = 0;

    for (uint tile = get_group_id(0); tile < tiles; tile += get_num_groups(0)) {
        atomic_inc(done);
        meet(count, &episode);
    }
}

kernel void mended(volatile global uint *count, volatile global uint *done, uint tiles)
{
    uint episode = 0;

    for (uint first = 0; first < tiles; first += get_num_groups(0)) {
        if (first + get_group_id(0) < tiles)
            atomic_inc(done);
        meet(count, &episode);
    }
}
