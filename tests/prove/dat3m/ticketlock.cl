// Dat3M, benchmarks/opencl/benchmarks/ticketlock: tickets are drawn relaxed, and the one that is served is awaited.
// ACQ2RX awaits it relaxed, REL2RX serves the next one relaxed, DV2WG does all at the scope of a work-group.

#ifdef ACQ2RX
#define TAKE memory_order_relaxed
#else
#define TAKE memory_order_acquire
#endif
#ifdef REL2RX
#define GIVE memory_order_relaxed
#else
#define GIVE memory_order_release
#endif
#ifdef DV2WG
#define SCOPE memory_scope_work_group
#else
#define SCOPE memory_scope_device
#endif

kernel void mutex(global atomic_uint *serving, global atomic_uint *next, global uint *sum, global uint *seen)
{
    const uint ticket = atomic_fetch_add_explicit(next, 1, memory_order_relaxed, SCOPE);
    uint value;

    while (atomic_load_explicit(serving, TAKE, SCOPE) != ticket)
        ;
    value = *sum;
    *sum = value + 1;
    atomic_store_explicit(serving, atomic_load_explicit(serving, memory_order_relaxed, SCOPE) + 1, GIVE, SCOPE);
    seen[get_global_id(0)] = value;
}
