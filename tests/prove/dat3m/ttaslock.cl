// Dat3M, benchmarks/opencl/benchmarks/ttaslock: looks until the lock is free, and only then tries to take it.
// ACQ2RX takes it relaxed, REL2RX releases it relaxed, DV2WG does all at the scope of a work-group.

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
    uint value;

    do {
        while (atomic_load_explicit(lock, memory_order_relaxed, SCOPE) != 0)
            ;
    } while (atomic_exchange_explicit(lock, 1, TAKE, SCOPE) != 0);
    value = *sum;
    *sum = value + 1;
    atomic_store_explicit(lock, 0, GIVE, SCOPE);
    seen[get_global_id(0)] = value;
}
