// Who finds a key in a table takes its value, which the group that put the key there has yet to compute.

enum { EMPTY, CLAIMED, FULL };

kernel void wrong(global atomic_uint *state, global uint *value, global uint *out)
{
    uint seen = EMPTY;

    if (atomic_compare_exchange_strong_explicit(state, &seen, CLAIMED, memory_order_acquire, memory_order_acquire,
                                                memory_scope_device)) {
        *value = 42;
        atomic_store_explicit(state, FULL, memory_order_release, memory_scope_device);
    }
    out[get_group_id(0)] = *value;
}

kernel void mended(global atomic_uint *state, global uint *value, global uint *out)
{
    uint seen = EMPTY;

    if (atomic_compare_exchange_strong_explicit(state, &seen, CLAIMED, memory_order_acquire, memory_order_acquire,
                                                memory_scope_device)) {
        *value = 42;
        atomic_store_explicit(state, FULL, memory_order_release, memory_scope_device);
    }
    while (atomic_load_explicit(state, memory_order_acquire, memory_scope_device) != FULL)
        ;
    out[get_group_id(0)] = *value;
}
