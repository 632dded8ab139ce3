// The first work-item holds a lock over a barrier that the others do not reach.

kernel void wrong(global atomic_uint *lock, global uint *sum)
{
    if (get_local_id(0) == 0) {
        while (atomic_exchange_explicit(lock, 1, memory_order_acquire, memory_scope_device) != 0)
            ;
        *sum += 1;
        barrier(CLK_GLOBAL_MEM_FENCE);
        atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
    }
}

kernel void mended(global atomic_uint *lock, global uint *sum)
{
    if (get_local_id(0) == 0) {
        while (atomic_exchange_explicit(lock, 1, memory_order_acquire, memory_scope_device) != 0)
            ;
        *sum += 1;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
}
