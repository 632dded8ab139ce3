// Arrivals are counted in a word whose highest bit changes with each episode: the first group adds what completes the
// others' ones to it. It adds one too little, so the bit does not change. Mended, it counts the others without itself.

static void meet(global atomic_uint *word, uint others)
{
    const uint add = get_group_id(0) == 0 ? 0x80000000u - others : 1;
    const uint seen = atomic_fetch_add_explicit(word, add, memory_order_acq_rel, memory_scope_device);

    while (((atomic_load_explicit(word, memory_order_acquire, memory_scope_device) ^ seen) & 0x80000000u) == 0)
        ;
}

kernel void wrong(global atomic_uint *word)
{
    for (uint round = 0; round < 2; round++)
        meet(word, get_num_groups(0));
}

kernel void mended(global atomic_uint *word)
{
    for (uint round = 0; round < 2; round++)
        meet(word, get_num_groups(0) - 1);
}
