// The barrier of Xiao and Feng (IPDPS 2010): work-items of the first group share out the others.

kernel void xiao_feng(global atomic_uint *in, global atomic_uint *out, global uint *cells, global uint *sums)
{
    const uint group = get_group_id(0), item = get_local_id(0), items = get_local_size(0), groups = get_num_groups(0);

    if (item == 0)
        cells[group] = group + 1;
    if (group == 0) {
        for (uint other = item + 1; other < groups; other += items)
            while (atomic_load_explicit(in + other, memory_order_acquire, memory_scope_device) == 0)
                ;
        barrier(CLK_GLOBAL_MEM_FENCE);
        for (uint other = item + 1; other < groups; other += items)
            atomic_store_explicit(out + other, 1, memory_order_release, memory_scope_device);
    } else {
        if (item == 0) {
            atomic_store_explicit(in + group, 1, memory_order_release, memory_scope_device);
            while (atomic_load_explicit(out + group, memory_order_acquire, memory_scope_device) == 0)
                ;
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    if (item == 0)
        sums[group] = cells[groups - 1 - group];
}
