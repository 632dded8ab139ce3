// Dat3M, benchmarks/opencl/termination/mp-wg_A-t_B: in each of two groups the second work-item waits for the first, and
// the second group waits for the first. GROUP_OBE numbers groups as they come, ITEM_OBE work-items: there, those names
// have obe, and hsa where numbers are those of OpenCL.

kernel void test(global atomic_uint *group_flag, local atomic_uint *item_flag, global atomic_uint *group_count,
                 local atomic_uint *item_count)
{
#ifdef GROUP_OBE
    local uint ticket;
#endif
    uint group = get_group_id(0), item = get_local_id(0);

    if (get_local_id(0) == 0) {
        atomic_store_explicit(item_flag, 0, memory_order_relaxed, memory_scope_work_group);
        atomic_store_explicit(item_count, 0, memory_order_relaxed, memory_scope_work_group);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#ifdef ITEM_OBE
    item = atomic_fetch_add_explicit(item_count, 1, memory_order_acq_rel, memory_scope_work_group);
#endif
#ifdef GROUP_OBE
    if (item == 0)
        ticket = atomic_fetch_add_explicit(group_count, 1, memory_order_acq_rel, memory_scope_device);
    barrier(CLK_LOCAL_MEM_FENCE);
    group = ticket;
#endif
    if (group == 1) {
        while (atomic_load_explicit(group_flag, memory_order_acquire, memory_scope_device) == 0)
            ;
    }
    if (item == 0) {
        atomic_store_explicit(item_flag, 1, memory_order_release, memory_scope_work_group);
    } else {
        while (atomic_load_explicit(item_flag, memory_order_acquire, memory_scope_work_group) == 0)
            ;
        if (group == 0)
            atomic_store_explicit(group_flag, 1, memory_order_release, memory_scope_device);
    }
}
