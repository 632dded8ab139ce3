// A barrier of all groups in the manner of OpenCL C 1.2: barrier() and relaxed atomics publish nothing to other groups.
// In OpenCL C 2.0 and later the scope of work_group_barrier says how far the memory behind it is visible.

static void meet(volatile global atomic_uint *count)
{
    if (get_local_id(0) == 0) {
        atomic_fetch_add_explicit(count, 1, memory_order_relaxed, memory_scope_device);
        while (atomic_load_explicit(count, memory_order_relaxed, memory_scope_device) < get_num_groups(0))
            ;
    }
}

static uint other(void)
{
    return (get_global_id(0) + get_local_size(0)) % get_global_size(0);
}

kernel void wrong(volatile global atomic_uint *count, global uint *data, global uint *out)
{
    data[get_global_id(0)] = 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    meet(count);
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] = data[other()];
}

kernel void mended(volatile global atomic_uint *count, global uint *data, global uint *out)
{
    data[get_global_id(0)] = 1;
    work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
    meet(count);
    work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
    out[get_global_id(0)] = data[other()];
}
