// Several groups write into a ring: each takes a place and then sets the end behind it, whatever others do. The end may
// pass a place that is not written, and may go back. Mended, each waits until the end is at its place.

static void run(global atomic_uint *next, global atomic_uint *end, global uint *ring, global uint *sum, int waits)
{
    const uint last = get_num_groups(0) - 1;

    if (get_group_id(0) != last) {
        const uint place = atomic_fetch_add_explicit(next, 1, memory_order_relaxed, memory_scope_device);

        ring[place] = place + 1;
        while (waits && atomic_load_explicit(end, memory_order_acquire, memory_scope_device) != place)
            ;
        atomic_store_explicit(end, place + 1, memory_order_release, memory_scope_device);
    } else {
        uint got = 0;

        for (uint place = 0; place < last; place++) {
            while (atomic_load_explicit(end, memory_order_acquire, memory_scope_device) <= place)
                ;
            got += ring[place];
        }
        *sum = got;
    }
}

kernel void wrong(global atomic_uint *next, global atomic_uint *end, global uint *ring, global uint *sum)
{
    run(next, end, ring, sum, 0);
}

kernel void mended(global atomic_uint *next, global atomic_uint *end, global uint *ring, global uint *sum)
{
    run(next, end, ring, sum, 1);
}
