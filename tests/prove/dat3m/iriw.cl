// Dat3M, benchmarks/opencl/patterns/iriw: two readers of two words may disagree on which was written first.

kernel void test(global atomic_uint *x, global atomic_uint *y, global uint *seen)
{
    switch (get_local_id(0)) {
    case 0:
        atomic_store_explicit(x, 1, memory_order_release, memory_scope_device);
        break;
    case 1:
        atomic_store_explicit(y, 1, memory_order_release, memory_scope_device);
        break;
    case 2:
        seen[0] = atomic_load_explicit(x, memory_order_acquire, memory_scope_device);
        seen[1] = atomic_load_explicit(y, memory_order_acquire, memory_scope_device);
        break;
    default:
        seen[2] = atomic_load_explicit(y, memory_order_acquire, memory_scope_device);
        seen[3] = atomic_load_explicit(x, memory_order_acquire, memory_scope_device);
    }
}
