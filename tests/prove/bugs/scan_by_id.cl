// Each group waits for the group before it: by number, which relies on groups being started in order, or by ticket.
// Public: the busy-waiting SpTRSV of weifengliu-ssslab (issue #1: "issued in the ascending order").

kernel void wrong(global atomic_uint *ticket, global atomic_uint *flags, global uint *sums)
{
    const uint tile = get_group_id(0);
    uint sum = 1;

    if (tile > 0) {
        while (atomic_load_explicit(flags + tile - 1, memory_order_acquire, memory_scope_device) == 0)
            ;
        sum += sums[tile - 1];
    }
    sums[tile] = sum;
    atomic_store_explicit(flags + tile, 1, memory_order_release, memory_scope_device);
}

kernel void mended(global atomic_uint *ticket, global atomic_uint *flags, global uint *sums)
{
    const uint tile = atomic_fetch_add_explicit(ticket, 1, memory_order_relaxed, memory_scope_device);
    uint sum = 1;

    if (tile > 0) {
        while (atomic_load_explicit(flags + tile - 1, memory_order_acquire, memory_scope_device) == 0)
            ;
        sum += sums[tile - 1];
    }
    sums[tile] = sum;
    atomic_store_explicit(flags + tile, 1, memory_order_release, memory_scope_device);
}
