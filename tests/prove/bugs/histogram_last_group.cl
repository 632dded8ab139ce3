// Groups count in a row of their own; the last one that is ready adds up. The count of ready groups is compared with
// how many there are less two: the last but one adds up what is not all there. Mended, less one.

static void run(global uint *rows, global atomic_uint *ready, global uint *bins, uint last, local uint *is_last)
{
    const uint group = get_group_id(0), item = get_local_id(0), items = get_local_size(0);

    rows[group * items + item] = item + group;
    work_group_barrier(CLK_GLOBAL_MEM_FENCE);
    if (item == 0)
        *is_last = atomic_fetch_add_explicit(ready, 1, memory_order_acq_rel, memory_scope_device) == last;
    work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (*is_last) {
        uint sum = 0;

        for (uint other = 0; other < get_num_groups(0); other++)
            sum += rows[other * items + item];
        bins[item] = sum;
    }
}

kernel void wrong(global uint *rows, global atomic_uint *ready, global uint *bins)
{
    local uint is_last;

    run(rows, ready, bins, get_num_groups(0) - 2, &is_last);
}

kernel void mended(global uint *rows, global atomic_uint *ready, global uint *bins)
{
    local uint is_last;

    run(rows, ready, bins, get_num_groups(0) - 1, &is_last);
}
