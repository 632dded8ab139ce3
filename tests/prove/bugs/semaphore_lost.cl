// A semaphore that is raised by a load and a store: one of two that are raised together is lost, and who waits for both
// waits for ever.

static void take(global atomic_uint *count)
{
    for (;;) {
        uint seen = atomic_load_explicit(count, memory_order_relaxed, memory_scope_device);

        if (seen > 0 && atomic_compare_exchange_strong_explicit(count, &seen, seen - 1, memory_order_acquire,
                                                                memory_order_relaxed, memory_scope_device))
            return;
    }
}

static void take_of_others(global atomic_uint *count)
{
    for (uint other = 1; other < get_num_groups(0); ++other)
        take(count);
}

kernel void wrong(global atomic_uint *count)
{
    if (get_group_id(0) == get_num_groups(0) - 1) {
        take_of_others(count);
    } else {
        const uint seen = atomic_load_explicit(count, memory_order_relaxed, memory_scope_device);
        atomic_store_explicit(count, seen + 1, memory_order_release, memory_scope_device);
    }
}

kernel void mended(global atomic_uint *count)
{
    if (get_group_id(0) == get_num_groups(0) - 1)
        take_of_others(count);
    else
        atomic_fetch_add_explicit(count, 1, memory_order_release, memory_scope_device);
}
