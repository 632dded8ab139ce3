// Two reductions by the last block, one after the other, whose counter is not set back: in the second, nobody is last.
// Public: ROCm/aiter #3288 (two launches share a counter, and the test for the last one never holds).

static uint reduce(global atomic_uint *count, global atomic_uint *ready, uint reset)
{
    const uint last = get_num_groups(0) - 1;

    if (atomic_fetch_add_explicit(count, 1, memory_order_acq_rel, memory_scope_device) != last)
        return 0;
    if (reset)
        atomic_store_explicit(count, 0, memory_order_relaxed, memory_scope_device);
    atomic_fetch_add_explicit(ready, 1, memory_order_release, memory_scope_device);
    return 1;
}

kernel void wrong(global atomic_uint *count, global atomic_uint *ready)
{
    for (uint round = 1; round <= 2; ++round) {
        reduce(count, ready, 0);
        while (atomic_load_explicit(ready, memory_order_acquire, memory_scope_device) < round)
            ;
    }
}

kernel void mended(global atomic_uint *count, global atomic_uint *ready)
{
    for (uint round = 1; round <= 2; ++round) {
        reduce(count, ready, 1);
        while (atomic_load_explicit(ready, memory_order_acquire, memory_scope_device) < round)
            ;
    }
}
