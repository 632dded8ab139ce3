// Two groups meet: each raises its flag, waits for the other's, and clears its own, which the other may not have seen.
// Mended, each clears the flag that it has seen.

kernel void wrong(volatile global uint *flags)
{
    const uint group = get_group_id(0);

    atomic_xchg(flags + group, 1);
    while (atomic_add(flags + 1 - group, 0) == 0)
        ;
    atomic_xchg(flags + group, 0);
}

kernel void mended(volatile global uint *flags)
{
    const uint group = get_group_id(0);

    atomic_xchg(flags + group, 1);
    while (atomic_add(flags + 1 - group, 0) == 0)
        ;
    atomic_xchg(flags + 1 - group, 0);
}
