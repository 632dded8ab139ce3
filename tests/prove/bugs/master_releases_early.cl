// The first group collects the others' flags and lets them go; each of its work-items collects some and lets those go
// at once, without waiting for the other work-items. Mended, they meet in between.

static void run(global atomic_uint *came, global atomic_uint *go, global uint *a, global uint *b, int meets)
{
    const uint group = get_group_id(0), item = get_local_id(0), groups = get_num_groups(0);

    if (item == 0)
        a[group] = group + 1;
    if (group == 0) {
        for (uint other = item + 1; other < groups; other += get_local_size(0))
            while (atomic_load_explicit(came + other, memory_order_acquire, memory_scope_device) == 0)
                ;
        if (meets)
            work_group_barrier(CLK_GLOBAL_MEM_FENCE);
        for (uint other = item + 1; other < groups; other += get_local_size(0))
            atomic_store_explicit(go + other, 1, memory_order_release, memory_scope_device);
    } else if (item == 0) {
        atomic_store_explicit(came + group, 1, memory_order_release, memory_scope_device);
        while (atomic_load_explicit(go + group, memory_order_acquire, memory_scope_device) == 0)
            ;
        b[group] = a[groups - group];
    }
}

kernel void wrong(global atomic_uint *came, global atomic_uint *go, global uint *a, global uint *b)
{
    run(came, go, a, b, 0);
}

kernel void mended(global atomic_uint *came, global atomic_uint *go, global uint *a, global uint *b)
{
    run(came, go, a, b, 1);
}
