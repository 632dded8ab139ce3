// Dat3M, benchmarks/opencl/benchmarks/xf-barrier: the barrier of Xiao and Feng with one flag a group, which its first
// work-item raises and a work-item of group 0 lowers. Each FAIL makes one of its four accesses relaxed. (That project's
// xf-barrier-weakest is relaxed in all.)

#ifdef FAIL1
#define AWAIT_RAISED memory_order_relaxed
#else
#define AWAIT_RAISED memory_order_acquire
#endif
#ifdef FAIL2
#define LOWER memory_order_relaxed
#else
#define LOWER memory_order_release
#endif
#ifdef FAIL3
#define RAISE memory_order_relaxed
#else
#define RAISE memory_order_release
#endif
#ifdef FAIL4
#define AWAIT_LOWERED memory_order_relaxed
#else
#define AWAIT_LOWERED memory_order_acquire
#endif

static void meet(global atomic_uint *flags)
{
    const uint group = get_group_id(0), other = get_local_id(0) + 1;

    if (group == 0) {
        if (other < get_num_groups(0)) {
            while (atomic_load_explicit(flags + other, AWAIT_RAISED, memory_scope_device) == 0)
                ;
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (other < get_num_groups(0))
            atomic_store_explicit(flags + other, 0, LOWER, memory_scope_device);
    } else {
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (get_local_id(0) == 0) {
            atomic_store_explicit(flags + group, 1, RAISE, memory_scope_device);
            while (atomic_load_explicit(flags + group, AWAIT_LOWERED, memory_scope_device) == 1)
                ;
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

kernel void xf_barrier(global atomic_uint *flags, global uint *in, global uint *out)
{
    uint sum = 0;

    in[get_global_id(0)] = 1;
    meet(flags);
    for (uint i = 0; i < get_global_size(0); ++i)
        sum += in[i];
    out[get_global_id(0)] = sum;
}
