// A ring of one slot whose producer takes it for full one item too late, and writes over what was not read.

static void produce(global atomic_uint *head, global atomic_uint *tail, global uint *slot, uint most)
{
    for (uint item = 0; item < 2; ++item) {
        while (item - atomic_load_explicit(head, memory_order_acquire, memory_scope_device) > most)
            ;
        *slot = item + 1;
        atomic_store_explicit(tail, item + 1, memory_order_release, memory_scope_device);
    }
}

static void consume(global atomic_uint *head, global atomic_uint *tail, global uint *slot, global uint *out)
{
    for (uint item = 0; item < 2; ++item) {
        while (atomic_load_explicit(tail, memory_order_acquire, memory_scope_device) == item)
            ;
        out[item] = *slot;
        atomic_store_explicit(head, item + 1, memory_order_release, memory_scope_device);
    }
}

kernel void wrong(global atomic_uint *head, global atomic_uint *tail, global uint *slot, global uint *out)
{
    if (get_group_id(0) == 0)
        produce(head, tail, slot, 1);
    else
        consume(head, tail, slot, out);
}

kernel void mended(global atomic_uint *head, global atomic_uint *tail, global uint *slot, global uint *out)
{
    if (get_group_id(0) == 0)
        produce(head, tail, slot, 0);
    else
        consume(head, tail, slot, out);
}
