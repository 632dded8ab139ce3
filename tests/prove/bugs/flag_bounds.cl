// Each group raises the flag of the next one, of which the last group has none: the array has one flag a group.

kernel void wrong(volatile global uint *flags)
{
    const uint group = get_group_id(0);

    while (group > 0 && atomic_add(flags + group, 0) == 0)
        ;
    atomic_xchg(flags + group + 1, 1);
}

kernel void mended(volatile global uint *flags)
{
    const uint group = get_group_id(0);

    while (group > 0 && atomic_add(flags + group, 0) == 0)
        ;
    if (group + 1 < get_num_groups(0))
        atomic_xchg(flags + group + 1, 1);
}
