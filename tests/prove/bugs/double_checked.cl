// Initialisation that is checked twice: who finds it done by a relaxed load is not ordered behind what was written.

static uint value(global atomic_uint *done, global atomic_uint *lock, global uint *data, memory_order order)
{
    if (atomic_load_explicit(done, order, memory_scope_device) == 0) {
        while (atomic_exchange_explicit(lock, 1, memory_order_acquire, memory_scope_device) != 0)
            ;
        if (atomic_load_explicit(done, memory_order_relaxed, memory_scope_device) == 0) {
            *data = 42;
            atomic_store_explicit(done, 1, memory_order_release, memory_scope_device);
        }
        atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
    }
    return *data;
}

kernel void wrong(global atomic_uint *done, global atomic_uint *lock, global uint *data, global uint *out)
{
    out[get_group_id(0)] = value(done, lock, data, memory_order_relaxed);
}

kernel void mended(global atomic_uint *done, global atomic_uint *lock, global uint *data, global uint *out)
{
    out[get_group_id(0)] = value(done, lock, data, memory_order_acquire);
}
