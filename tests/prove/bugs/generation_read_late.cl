// A barrier by generations: a group first arrives and then reads which generation it waits for the end of. Where the
// last one comes in between, it waits for the end of the next. Mended, it reads first.

#define COUNT 0
#define GENERATION 1

static void turn(global atomic_uint *b)
{
    atomic_store_explicit(b + COUNT, 0, memory_order_relaxed, memory_scope_device);
    atomic_fetch_add_explicit(b + GENERATION, 1, memory_order_release, memory_scope_device);
}

static uint generation(global atomic_uint *b)
{
    return atomic_load_explicit(b + GENERATION, memory_order_acquire, memory_scope_device);
}

static bool arrive(global atomic_uint *b)
{
    return atomic_fetch_add_explicit(b + COUNT, 1, memory_order_acq_rel, memory_scope_device) + 1 == get_num_groups(0);
}

kernel void wrong(global atomic_uint *b)
{
    if (arrive(b)) {
        turn(b);
    } else {
        const uint mine = generation(b);
        while (generation(b) == mine)
            ;
    }
}

kernel void mended(global atomic_uint *b)
{
    const uint mine = generation(b);

    if (arrive(b))
        turn(b);
    else
        while (generation(b) == mine)
            ;
}
