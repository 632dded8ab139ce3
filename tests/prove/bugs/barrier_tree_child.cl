// A barrier by a tree of groups, in which a parent waits for one child more than it has.

static void await(volatile global uint *flags, uint group)
{
    while (atomic_add(flags + group, 0) == 0)
        ;
}

static void meet(volatile global uint *flags, volatile global uint *go, uint end)
{
    const uint group = get_group_id(0);

    for (uint child = 2 * group + 1; child <= 2 * group + 2 && child < end; ++child)
        await(flags, child);
    atomic_xchg(group == 0 ? go : flags + group, 1);
    await(go, 0);
}

kernel void wrong(volatile global uint *flags, volatile global uint *go)
{
    meet(flags, go, get_num_groups(0) + 1);
}

kernel void mended(volatile global uint *flags, volatile global uint *go)
{
    meet(flags, go, get_num_groups(0));
}
