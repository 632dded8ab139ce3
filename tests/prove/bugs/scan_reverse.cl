// A chained scan from the last element to the first, in which each group waits for the next one, which may not have
// started. Mended, groups are numbered from the end.

kernel void wrong(volatile global uint *flags)
{
    const uint group = get_group_id(0);

    if (group < get_num_groups(0) - 1) {
        while (atomic_add(flags + group + 1, 0) == 0)
            ;
    }
    atomic_xchg(flags + group, 1);
}

kernel void mended(volatile global uint *flags)
{
    const uint tile = get_num_groups(0) - 1 - get_group_id(0);

    if (tile < get_num_groups(0) - 1) {
        while (atomic_add(flags + tile + 1, 0) == 0)
            ;
    }
    atomic_xchg(flags + tile, 1);
}
