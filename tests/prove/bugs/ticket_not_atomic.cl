// A ticket lock that draws tickets by a load and a store: two groups may hold the same one, enter together, and move on
// the served ticket past that of a third.

static void serve(global atomic_uint *serving, uint ticket, global uint *sum)
{
    while (atomic_load_explicit(serving, memory_order_acquire, memory_scope_device) != ticket)
        ;
    *sum += 1;
    atomic_fetch_add_explicit(serving, 1, memory_order_release, memory_scope_device);
}

kernel void wrong(global atomic_uint *next, global atomic_uint *serving, global uint *sum)
{
    const uint ticket = atomic_load_explicit(next, memory_order_relaxed, memory_scope_device);

    atomic_store_explicit(next, ticket + 1, memory_order_relaxed, memory_scope_device);
    serve(serving, ticket, sum);
}

kernel void mended(global atomic_uint *next, global atomic_uint *serving, global uint *sum)
{
    const uint ticket = atomic_fetch_add_explicit(next, 1, memory_order_relaxed, memory_scope_device);

    serve(serving, ticket, sum);
}
