// Dat3M, benchmarks/opencl/patterns/sb (store buffering): release and acquire let both read 0, which no interleaving
// of the accesses does.

kernel void test(global atomic_uint *x, global atomic_uint *y, global uint *seen)
{
    if (get_local_id(0) == 0) {
        atomic_store_explicit(x, 1, memory_order_release, memory_scope_device);
        seen[0] = atomic_load_explicit(y, memory_order_acquire, memory_scope_device);
    } else {
        atomic_store_explicit(y, 1, memory_order_release, memory_scope_device);
        seen[1] = atomic_load_explicit(x, memory_order_acquire, memory_scope_device);
    }
}
