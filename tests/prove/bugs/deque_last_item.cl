// A deque of tasks whose owner takes the last one without exchanging the top, as a thief does at the same time: it is
// done twice. Chase and Lev, SPAA 2005; on GPUs Cederman and Tsigas, 2008.

static uint taken_from_top(global atomic_int *top, int seen)
{
    return atomic_compare_exchange_strong_explicit(top, &seen, seen + 1, memory_order_seq_cst, memory_order_seq_cst,
                                                   memory_scope_device);
}

static void push(global atomic_int *bottom)
{
    atomic_store_explicit(bottom, 1, memory_order_seq_cst, memory_scope_device);
}

static void steal(global atomic_int *top, global atomic_int *bottom, global atomic_uint *done)
{
    const int first = atomic_load_explicit(top, memory_order_seq_cst, memory_scope_device);
    const int end = atomic_load_explicit(bottom, memory_order_seq_cst, memory_scope_device);

    if (first < end && taken_from_top(top, first))
        atomic_fetch_add_explicit(done, 1, memory_order_relaxed, memory_scope_device);
}

static void take(global atomic_int *top, global atomic_int *bottom, global atomic_uint *done, uint exchanges)
{
    int first;

    atomic_store_explicit(bottom, 0, memory_order_seq_cst, memory_scope_device);
    first = atomic_load_explicit(top, memory_order_seq_cst, memory_scope_device);
    if (first == 0 && (!exchanges || taken_from_top(top, first)))
        atomic_fetch_add_explicit(done, 1, memory_order_relaxed, memory_scope_device);
    atomic_store_explicit(bottom, 1, memory_order_seq_cst, memory_scope_device);
}

kernel void wrong(global atomic_int *top, global atomic_int *bottom, global atomic_uint *done)
{
    if (get_group_id(0) == 0) {
        push(bottom);
        take(top, bottom, done, 0);
    } else {
        steal(top, bottom, done);
    }
}

kernel void mended(global atomic_int *top, global atomic_int *bottom, global atomic_uint *done)
{
    if (get_group_id(0) == 0) {
        push(bottom);
        take(top, bottom, done, 1);
    } else {
        steal(top, bottom, done);
    }
}
