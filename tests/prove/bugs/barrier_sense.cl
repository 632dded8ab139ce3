// A barrier by sense reversal whose blocks do not flip their own sense, so that the second barrier holds nobody back.
// Public: bespoke-silicon-group/bsg_manycore #743 (sense as an odd number of barriers had left it).

static void meet(global atomic_uint *count, global atomic_uint *sense, uint mine)
{
    if (atomic_fetch_add_explicit(count, 1, memory_order_acq_rel, memory_scope_device) == get_num_groups(0) - 1) {
        atomic_store_explicit(count, 0, memory_order_relaxed, memory_scope_device);
        atomic_store_explicit(sense, mine, memory_order_release, memory_scope_device);
    }
    while (atomic_load_explicit(sense, memory_order_acquire, memory_scope_device) != mine)
        ;
}

kernel void wrong(global atomic_uint *count, global atomic_uint *sense, global uint *cells, global uint *out)
{
    const uint group = get_group_id(0), groups = get_num_groups(0);
    const uint mine = 1;

    meet(count, sense, mine);
    cells[group] = group + 1;
    meet(count, sense, mine);
    out[group] = cells[(group + 1) % groups];
}

kernel void mended(global atomic_uint *count, global atomic_uint *sense, global uint *cells, global uint *out)
{
    const uint group = get_group_id(0), groups = get_num_groups(0);
    uint mine = 1;

    meet(count, sense, mine);
    mine = 1 - mine;
    cells[group] = group + 1;
    meet(count, sense, mine);
    out[group] = cells[(group + 1) % groups];
}
