// The lock-free barrier of Xiao and Feng (IPDPS 2010): work-item i of the first group waits for group i + 1 and lets it
// go. Without the barrier of the first group in between, a group is let go before the others have come.

static void arrive(global atomic_uint *in, global atomic_uint *out, uint group)
{
    if (get_local_id(0) == 0) {
        atomic_store_explicit(in + group, 1, memory_order_release, memory_scope_device);
        while (atomic_load_explicit(out + group, memory_order_acquire, memory_scope_device) == 0)
            ;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
}

static void await(global atomic_uint *in, uint group)
{
    if (group < get_num_groups(0)) {
        while (atomic_load_explicit(in + group, memory_order_acquire, memory_scope_device) == 0)
            ;
    }
}

static void release(global atomic_uint *out, uint group)
{
    if (group < get_num_groups(0))
        atomic_store_explicit(out + group, 1, memory_order_release, memory_scope_device);
}

kernel void wrong(global atomic_uint *in, global atomic_uint *out, global uint *cells, global uint *sums)
{
    const uint group = get_group_id(0), other = get_local_id(0) + 1, last = get_num_groups(0) - 1;

    if (get_local_id(0) == 0)
        cells[group] = group + 1;
    if (group == 0) {
        await(in, other);
        release(out, other);
    } else {
        arrive(in, out, group);
    }
    if (get_local_id(0) == 0)
        sums[group] = cells[last - group];
}

kernel void mended(global atomic_uint *in, global atomic_uint *out, global uint *cells, global uint *sums)
{
    const uint group = get_group_id(0), other = get_local_id(0) + 1, last = get_num_groups(0) - 1;

    if (get_local_id(0) == 0)
        cells[group] = group + 1;
    if (group == 0) {
        await(in, other);
        barrier(CLK_GLOBAL_MEM_FENCE);
        release(out, other);
    } else {
        arrive(in, out, group);
    }
    if (get_local_id(0) == 0)
        sums[group] = cells[last - group];
}
