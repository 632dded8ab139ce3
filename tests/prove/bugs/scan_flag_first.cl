// A chained scan that raises the flag of a prefix before it has written the prefix.
// Public: kavanaghpatrick/gpu-native-os #292 (the index of a request before its fields); kokkos/kokkos #905.

static uint await(global atomic_uint *flags, global uint *sums, uint group)
{
    if (group == 0)
        return 0;
    while (atomic_load_explicit(flags + group - 1, memory_order_acquire, memory_scope_device) == 0)
        ;
    return sums[group - 1];
}

kernel void wrong(global atomic_uint *flags, global uint *sums)
{
    const uint group = get_group_id(0);
    const uint sum = await(flags, sums, group) + 1;

    atomic_store_explicit(flags + group, 1, memory_order_release, memory_scope_device);
    sums[group] = sum;
}

kernel void mended(global atomic_uint *flags, global uint *sums)
{
    const uint group = get_group_id(0);
    const uint sum = await(flags, sums, group) + 1;

    sums[group] = sum;
    atomic_store_explicit(flags + group, 1, memory_order_release, memory_scope_device);
}
