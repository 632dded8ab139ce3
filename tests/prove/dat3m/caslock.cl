// Dat3M, benchmarks/opencl/benchmarks/caslock: a spin lock by compare-and-exchange.
// ACQ2RX takes it relaxed, REL2RX releases it relaxed, DV2WG does both at the scope of a work-group.

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

kernel void mutex(global atomic_uint *lock, global uint *sum, global uint *seen)
{
    uint free = 0, value;

    while (!atomic_compare_exchange_strong_explicit(lock, &free, 1, TAKE, TAKE, SCOPE))
        free = 0;
    value = *sum;
    *sum = value + 1;
    atomic_store_explicit(lock, 0, GIVE, SCOPE);
    seen[get_global_id(0)] = value;
}
