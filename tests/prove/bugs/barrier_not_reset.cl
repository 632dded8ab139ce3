// The counter of a barrier is not set back: the second barrier finds it full, and lets everybody through.

static void meet(global atomic_uint *count, uint goal)
{
    atomic_fetch_add_explicit(count, 1, memory_order_acq_rel, memory_scope_device);
    while (atomic_load_explicit(count, memory_order_acquire, memory_scope_device) < goal)
        ;
}

kernel void wrong(global atomic_uint *count, global uint *cells, global uint *out)
{
    const uint group = get_group_id(0), groups = get_num_groups(0);

    meet(count, groups);
    cells[group] = group + 1;
    meet(count, groups);
    out[group] = cells[(group + 1) % groups];
}

kernel void mended(global atomic_uint *count, global uint *cells, global uint *out)
{
    const uint group = get_group_id(0), groups = get_num_groups(0);

    meet(count, groups);
    cells[group] = group + 1;
    meet(count, 2 * groups);
    out[group] = cells[(group + 1) % groups];
}
