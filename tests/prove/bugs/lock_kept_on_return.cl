// A way out of the guarded part that does not release the lock.

kernel void wrong(global atomic_uint *lock, global uint *best, uint bound)
{
    while (atomic_exchange_explicit(lock, 1, memory_order_acquire, memory_scope_device) != 0)
        ;
    if (*best >= bound)
        return;
    *best += 1;
    atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
}

kernel void mended(global atomic_uint *lock, global uint *best, uint bound)
{
    while (atomic_exchange_explicit(lock, 1, memory_order_acquire, memory_scope_device) != 0)
        ;
    if (*best < bound)
        *best += 1;
    atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
}
