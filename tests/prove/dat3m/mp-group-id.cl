// Dat3M, termination tests mp-groupID and (with ADD) mp-atomicAdd-groupID: the second group waits for the first; which
// is the first is said by the group's number, or by a counter.

kernel void test(global atomic_uint *counter, global atomic_uint *flag)
{
#ifdef ADD
    const uint group = atomic_fetch_add_explicit(counter, 1, memory_order_acq_rel, memory_scope_device);
#else
    const uint group = get_group_id(0);
#endif

    if (group == 0) {
        atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
    } else {
        while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) == 0)
            ;
    }
}
