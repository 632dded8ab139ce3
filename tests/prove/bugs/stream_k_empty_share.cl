// Groups share a tile; its owner waits until all the others have given their part. A group whose share is empty returns
// without giving one. Mended, it gives nothing, but says so.

static void run(global atomic_uint *given, global uint *parts, global uint *tile, uint steps, int says_so)
{
    const uint group = get_group_id(0), groups = get_num_groups(0);
    const uint share = (steps + groups - 1) / groups;
    const uint first = min(group * share, steps), last = min(first + share, steps);
    uint sum = 0;

    if (first == last && !says_so)
        return;
    for (uint step = first; step < last; step++)
        sum += step + 1;
    if (group != 0) {
        parts[group] = sum;
        atomic_fetch_add_explicit(given, 1, memory_order_release, memory_scope_device);
        return;
    }
    while (atomic_load_explicit(given, memory_order_acquire, memory_scope_device) != groups - 1)
        ;
    for (uint other = 1; other < groups; other++)
        sum += parts[other];
    *tile = sum;
}

kernel void wrong(global atomic_uint *given, global uint *parts, global uint *tile, uint steps)
{
    run(given, parts, tile, steps, 0);
}

kernel void mended(global atomic_uint *given, global uint *parts, global uint *tile, uint steps)
{
    run(given, parts, tile, steps, 1);
}
