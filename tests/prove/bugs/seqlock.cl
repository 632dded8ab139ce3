// A reader of two words that does not look whether they were written meanwhile, and may see one old and one new.

static void write(global atomic_uint *sequence, global atomic_uint *pair)
{
    atomic_fetch_add_explicit(sequence, 1, memory_order_seq_cst, memory_scope_device);
    atomic_store_explicit(pair, 1, memory_order_seq_cst, memory_scope_device);
    atomic_store_explicit(pair + 1, 1, memory_order_seq_cst, memory_scope_device);
    atomic_fetch_add_explicit(sequence, 1, memory_order_seq_cst, memory_scope_device);
}

static uint differs(global atomic_uint *pair)
{
    const uint first = atomic_load_explicit(pair, memory_order_seq_cst, memory_scope_device);

    return first != atomic_load_explicit(pair + 1, memory_order_seq_cst, memory_scope_device);
}

kernel void wrong(global atomic_uint *sequence, global atomic_uint *pair, global uint *torn)
{
    if (get_group_id(0) == 0)
        write(sequence, pair);
    else
        torn[get_group_id(0)] = differs(pair);
}

kernel void mended(global atomic_uint *sequence, global atomic_uint *pair, global uint *torn)
{
    uint before, found;

    if (get_group_id(0) == 0) {
        write(sequence, pair);
        return;
    }
    do {
        before = atomic_load_explicit(sequence, memory_order_seq_cst, memory_scope_device);
        found = differs(pair);
    } while (before % 2 != 0 || atomic_load_explicit(sequence, memory_order_seq_cst, memory_scope_device) != before);
    torn[get_group_id(0)] = found;
}
