// Groups tell each other in rounds that they came; a flag is 1 for each episode, so the second finds those of the
// first. Mended, flags count episodes.

static void meet(global atomic_uint *flags, uint episode)
{
    const uint group = get_group_id(0), groups = get_num_groups(0);

    for (uint distance = 1, round = 0; distance < groups; distance *= 2, round++) {
        global atomic_uint *row = flags + round * groups;

        atomic_store_explicit(row + (group + distance) % groups, episode, memory_order_release, memory_scope_device);
        while (atomic_load_explicit(row + group, memory_order_acquire, memory_scope_device) < episode)
            ;
    }
}

kernel void wrong(global atomic_uint *flags, global uint *a, global uint *b)
{
    const uint group = get_group_id(0), groups = get_num_groups(0);

    meet(flags, 1);
    a[group] = group + 1;
    meet(flags, 1);
    b[group] = a[groups - 1 - group];
}

kernel void mended(global atomic_uint *flags, global uint *a, global uint *b)
{
    const uint group = get_group_id(0), groups = get_num_groups(0);

    meet(flags, 1);
    a[group] = group + 1;
    meet(flags, 2);
    b[group] = a[groups - 1 - group];
}
