// A reduction in which all blocks meet at a barrier before one of them adds up: right only as long as all are resident.
// Public: NVIDIA/cub #369 (128 blocks hang where 56 do not). Mended, whoever comes last adds up, and nobody waits.

static void add_up(global uint *parts, global uint *sum)
{
    for (uint i = 0; i < get_num_groups(0); ++i)
        *sum += parts[i];
}

kernel void wrong(global atomic_uint *count, global uint *parts, global uint *sum)
{
    parts[get_group_id(0)] = 1;
    atomic_fetch_add_explicit(count, 1, memory_order_acq_rel, memory_scope_device);
    while (atomic_load_explicit(count, memory_order_acquire, memory_scope_device) < get_num_groups(0))
        ;
    if (get_group_id(0) == 0)
        add_up(parts, sum);
}

kernel void mended(global atomic_uint *count, global uint *parts, global uint *sum)
{
    parts[get_group_id(0)] = 1;
    if (atomic_fetch_add_explicit(count, 1, memory_order_acq_rel, memory_scope_device) == get_num_groups(0) - 1)
        add_up(parts, sum);
}
