// The next item is claimed by a load and a store: two groups get the same one.

kernel void wrong(global atomic_uint *next, global atomic_uint *done)
{
    for (;;) {
        const uint item = atomic_load_explicit(next, memory_order_relaxed, memory_scope_device);

        if (item >= 2)
            break;
        atomic_store_explicit(next, item + 1, memory_order_relaxed, memory_scope_device);
        atomic_fetch_add_explicit(done + item, 1, memory_order_relaxed, memory_scope_device);
    }
}

kernel void mended(global atomic_uint *next, global atomic_uint *done)
{
    for (;;) {
        const uint item = atomic_fetch_add_explicit(next, 1, memory_order_relaxed, memory_scope_device);

        if (item >= 2)
            break;
        atomic_fetch_add_explicit(done + item, 1, memory_order_relaxed, memory_scope_device);
    }
}
