// A group that has nothing to do returns before the barrier, at which all others wait for it.

kernel void wrong(volatile global uint *count, global uint *cells, uint n)
{
    const uint group = get_group_id(0);

    if (group >= n)
        return;
    cells[group] = group;
    atomic_inc(count);
    while (atomic_add(count, 0) < get_num_groups(0))
        ;
}

kernel void mended(volatile global uint *count, global uint *cells, uint n)
{
    const uint group = get_group_id(0);

    if (group < n)
        cells[group] = group;
    atomic_inc(count);
    while (atomic_add(count, 0) < get_num_groups(0))
        ;
}
