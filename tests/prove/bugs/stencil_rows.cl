// Each group of a grid writes its cell and reads those of its neighbours. It waits for the next one of its row, and
// forgets the one below. Mended, it waits for both.

static uint wait_for(global atomic_uint *done, global uint *cells, size_t at)
{
    while (atomic_load_explicit(done + at, memory_order_acquire, memory_scope_device) == 0)
        ;
    return cells[at];
}

static void run(global atomic_uint *done, global uint *cells, global uint *out, int waits)
{
    const size_t x = get_group_id(0), y = get_group_id(1), width = get_num_groups(0), at = y * width + x;
    uint sum = 0;

    cells[at] = (uint)at + 1;
    atomic_store_explicit(done + at, 1, memory_order_release, memory_scope_device);
    if (x + 1 < width)
        sum += wait_for(done, cells, at + 1);
    if (y + 1 < get_num_groups(1))
        sum += waits ? wait_for(done, cells, at + width) : cells[at + width];
    out[at] = sum;
}

kernel void wrong(global atomic_uint *done, global uint *cells, global uint *out)
{
    run(done, cells, out, 0);
}

kernel void mended(global atomic_uint *done, global uint *cells, global uint *out)
{
    run(done, cells, out, 1);
}
