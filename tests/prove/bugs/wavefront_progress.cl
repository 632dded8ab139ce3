// Each group computes a row behind the row above. It says how far it is before all of its work-items are. Mended, they
// meet first.

static void run(global atomic_uint *progress, global uint *cells, int meets)
{
    const uint row = get_group_id(0), item = get_local_id(0), items = get_local_size(0);

    if (row > 0) {
        if (item == 0) {
            while (atomic_load_explicit(progress + row - 1, memory_order_acquire, memory_scope_device) == 0)
                ;
        }
        work_group_barrier(CLK_GLOBAL_MEM_FENCE);
    }
    cells[row * items + item] = row > 0 ? cells[(row - 1) * items + (item + 1) % items] + 1 : item;
    if (meets)
        work_group_barrier(CLK_GLOBAL_MEM_FENCE);
    if (item == 0)
        atomic_store_explicit(progress + row, 1, memory_order_release, memory_scope_device);
}

kernel void wrong(global atomic_uint *progress, global uint *cells)
{
    run(progress, cells, 0);
}

kernel void mended(global atomic_uint *progress, global uint *cells)
{
    run(progress, cells, 1);
}
