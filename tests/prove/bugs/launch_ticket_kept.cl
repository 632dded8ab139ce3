// Blocks number themselves by a ticket that is set to zero when the program starts, and not before each launch. In the
// second launch the first block gets the number of one that there is not, and waits for a block that never comes.
// words: a scratch pad as another launch left it, with the ticket in word 1. Mended, the host says where tickets begin.

#define TICKET 1

static void chain(global atomic_uint *flags, uint tile)
{
    if (tile > 0)
        while (atomic_load_explicit(&flags[tile - 1], memory_order_acquire, memory_scope_device) == 0)
            ;
    atomic_store_explicit(&flags[tile], 1, memory_order_release, memory_scope_device);
}

kernel void wrong(global atomic_uint *words, global atomic_uint *flags, uint first)
{
    chain(flags, atomic_fetch_add(&words[TICKET], 1));
}

kernel void mended(global atomic_uint *words, global atomic_uint *flags, uint first)
{
    chain(flags, atomic_fetch_add(&words[TICKET], 1) - first);
}
