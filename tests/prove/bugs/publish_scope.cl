// Data for another group, published at the scope of a work-group, which orders nothing between groups.
// Orr et al., ASPLOS 2015, and Wickerson et al., OOPSLA 2015, on remote-scope promotion.

static uint await(global atomic_uint *flag, memory_scope scope)
{
    while (atomic_load_explicit(flag, memory_order_acquire, scope) == 0)
        ;
    return 1;
}

kernel void wrong(global atomic_uint *flag, global uint *data, global uint *out)
{
    if (get_group_id(0) == 0) {
        *data = 42;
        atomic_store_explicit(flag, 1, memory_order_release, memory_scope_work_group);
    } else if (await(flag, memory_scope_work_group)) {
        out[get_group_id(0)] = *data;
    }
}

kernel void mended(global atomic_uint *flag, global uint *data, global uint *out)
{
    if (get_group_id(0) == 0) {
        *data = 42;
        atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
    } else if (await(flag, memory_scope_device)) {
        out[get_group_id(0)] = *data;
    }
}
