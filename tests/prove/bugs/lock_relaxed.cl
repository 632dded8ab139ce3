// A spin lock that only excludes, and orders nothing. Alglave et al., ASPLOS 2015, found it in a text book on CUDA.

kernel void wrong(global atomic_uint *lock, global uint *sum)
{
    uint free = 0;

    while (!atomic_compare_exchange_strong_explicit(lock, &free, 1, memory_order_relaxed, memory_order_relaxed,
                                                    memory_scope_device))
        free = 0;
    *sum += 1;
    atomic_store_explicit(lock, 0, memory_order_relaxed, memory_scope_device);
}

kernel void mended(global atomic_uint *lock, global uint *sum)
{
    uint free = 0;

    while (!atomic_compare_exchange_strong_explicit(lock, &free, 1, memory_order_acquire, memory_order_relaxed,
                                                    memory_scope_device))
        free = 0;
    *sum += 1;
    atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
}
