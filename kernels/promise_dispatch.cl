/*
 * kernel:  promise_dispatch
 * purpose: whether the groups of a concurrent launch meet in the device's own barrier, or in one of atomics
 * needs:   concurrent dispatch of no more groups than run together; in mode 0 nothing
 * fails:   in mode 1 a barrier over more groups than run together never ends: the driver's code waits there
 * source:  gridlock
 *
 * out[0]: arrivals; out[1]: groups that passed a round before all had arrived; out[2]: the barrier may be used, plus 1;
 * out[3]: groups whose polls ran out.
 */
#pragma OPENCL EXTENSION cl_intel_concurrent_dispatch : enable

void __attribute__((overloadable)) intel_device_barrier(cl_mem_fence_flags flags, memory_scope scope);
bool __attribute__((overloadable)) intel_is_device_barrier_valid(void);

static uint arrived(global uint *out)
{
    return atomic_load_explicit((volatile global atomic_uint *)out, memory_order_relaxed, memory_scope_device);
}

static void arrive(global uint *out)
{
    atomic_fetch_add_explicit((volatile global atomic_uint *)out, 1u, memory_order_acq_rel, memory_scope_device);
}

/* mode 0: no barrier; 1: the device's; 2: one of atomics, of at most `bound` polls in each round. */
kernel void promise_dispatch(global uint *out, uint rounds, uint mode, uint bound)
{
#if GL_ATOMICS > 0
    local uint gave_up;
#endif
#if GL_LOCAL_WORDS > 0
    local uint kept[GL_LOCAL_WORDS];
    kept[get_local_id(0)] = (uint)get_group_id(0);
#endif
    const bool leads = get_local_id(0) == 0;

    if (get_global_id(0) == 0)
        out[2] = 1u + (uint)intel_is_device_barrier_valid();
#if GL_ATOMICS > 0
    if (leads)
        gave_up = 0;
#endif
    for (uint round = 1; round <= rounds; ++round) {
        const uint all = round * (uint)get_num_groups(0);
        work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (leads)
            arrive(out);
        if (mode == 1)
            intel_device_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
#if GL_ATOMICS > 0
        if (mode == 2 && leads) {
            uint polls = 0;
            while (arrived(out) < all && polls < bound)
                ++polls;
            gave_up = polls == bound;
        }
#endif
        work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#if GL_ATOMICS > 0
        if (mode == 2 && gave_up) {
            if (leads)
                arrive(out + 3);
            return;
        }
#endif
        if (mode != 0 && leads && arrived(out) < all)
            arrive(out + 1);
    }
#if GL_LOCAL_WORDS > 0
    if (kept[get_local_id(0)] != (uint)get_group_id(0))
        arrive(out + 1);
#endif
}
