// Search by levels: groups append to the next frontier, meet, and swap. Each group sets the count of the frontier that
// it has read back to 0 after the meeting, when others append to it already. Mended, one does, between two meetings.

static void meet(global atomic_uint *count, uint target)
{
    atomic_fetch_add_explicit(count, 1, memory_order_acq_rel, memory_scope_device);
    while (atomic_load_explicit(count, memory_order_acquire, memory_scope_device) < target)
        ;
}

kernel void wrong(global atomic_uint *count, global atomic_uint *sizes)
{
    const uint groups = get_num_groups(0);

    for (uint level = 0; level < 2; level++) {
        atomic_fetch_add_explicit(sizes + (level + 1) % 2, 1, memory_order_relaxed, memory_scope_device);
        meet(count, (level + 1) * groups);
        atomic_store_explicit(sizes + level % 2, 0, memory_order_relaxed, memory_scope_device);
    }
}

kernel void mended(global atomic_uint *count, global atomic_uint *sizes)
{
    const uint groups = get_num_groups(0);

    for (uint level = 0; level < 2; level++) {
        atomic_fetch_add_explicit(sizes + (level + 1) % 2, 1, memory_order_relaxed, memory_scope_device);
        meet(count, (2 * level + 1) * groups);
        if (get_group_id(0) == 0)
            atomic_store_explicit(sizes + level % 2, 0, memory_order_relaxed, memory_scope_device);
        meet(count, (2 * level + 2) * groups);
    }
}
