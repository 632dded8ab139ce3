// Dat3M, benchmarks/opencl/patterns/corr: two readers of one word agree on the order of its writes.

kernel void test(global atomic_uint *x, global uint *seen)
{
    const uint group = get_group_id(0);

    if (group < 2) {
        seen[2 * group] = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);
        seen[2 * group + 1] = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);
    } else {
        atomic_store_explicit(x, 4 - group, memory_order_relaxed, memory_scope_device);
    }
}
