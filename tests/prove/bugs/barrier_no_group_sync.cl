// The first work-item arrives for its group without waiting for the others, whose data may not be written yet.

static void meet(global atomic_uint *count)
{
    if (get_local_id(0) == 0) {
        atomic_fetch_add_explicit(count, 1, memory_order_acq_rel, memory_scope_device);
        while (atomic_load_explicit(count, memory_order_acquire, memory_scope_device) < get_num_groups(0))
            ;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
}

kernel void wrong(global atomic_uint *count, global uint *in, global uint *out)
{
    const uint id = get_global_id(0);

    in[id] = id + 1;
    meet(count);
    out[id] = in[get_global_size(0) - 1 - id];
}

kernel void mended(global atomic_uint *count, global uint *in, global uint *out)
{
    const uint id = get_global_id(0);

    in[id] = id + 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    meet(count);
    out[id] = in[get_global_size(0) - 1 - id];
}
