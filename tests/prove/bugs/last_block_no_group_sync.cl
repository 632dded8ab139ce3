// The first work-item counts its group as done before the others have written their parts.

static void add_up(global atomic_uint *count, global uint *parts, global uint *sum)
{
    if (get_local_id(0) != 0)
        return;
    if (atomic_fetch_add_explicit(count, 1, memory_order_acq_rel, memory_scope_device) == get_num_groups(0) - 1) {
        for (uint i = 0; i < get_global_size(0); ++i)
            *sum += parts[i];
    }
}

kernel void wrong(global atomic_uint *count, global uint *parts, global uint *sum)
{
    parts[get_global_id(0)] = 1;
    add_up(count, parts, sum);
}

kernel void mended(global atomic_uint *count, global uint *parts, global uint *sum)
{
    parts[get_global_id(0)] = 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    add_up(count, parts, sum);
}
