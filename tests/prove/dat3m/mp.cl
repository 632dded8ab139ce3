// Dat3M, benchmarks/opencl/patterns/mp: a message and its flag; nobody waits. ACQ2RX reads the flag relaxed, REL2RX
// writes it relaxed. The message races in any case; with FILTER, as that project's test filters, it is read only where
// the flag was seen.

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

kernel void test(global atomic_uint *flag, global uint *message, global uint *seen)
{
    if (get_global_id(0) == 0) {
        *message = 1;
        atomic_store_explicit(flag, 1, GIVE, memory_scope_device);
        return;
    }
    seen[0] = atomic_load_explicit(flag, TAKE, memory_scope_device);
#ifdef FILTER
    if (seen[0] == 0)
        return;
#endif
    seen[1] = *message;
}
