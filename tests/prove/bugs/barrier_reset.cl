// An inter-block barrier whose counter is set back by a block as soon as it sees it full, although others still turn.
// Public: tile-ai/tilelang #2319 (the state "all are here" is short-lived, and a block may miss it).

kernel void wrong(volatile global uint *count)
{
    const uint groups = get_num_groups(0);

    atomic_inc(count);
    while (atomic_add(count, 0) < groups)
        ;
    if (get_group_id(0) == 0)
        atomic_xchg(count, 0);
}

// The counter only grows.
kernel void mended(volatile global uint *count)
{
    const uint groups = get_num_groups(0);
    const uint goal = (atomic_inc(count) / groups + 1) * groups;

    while (atomic_add(count, 0) < goal)
        ;
}
