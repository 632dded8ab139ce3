// A tree of reductions: of two that come to a node, the second goes on upwards. They find out by a load and a store, so
// both may think that they are first, and nobody comes to the root. Mended, an exchange decides.

kernel void wrong(global atomic_uint *seen, global uint *parts, global uint *total)
{
    const uint group = get_group_id(0);

    parts[group] = group + 1;
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
    if (atomic_load_explicit(seen + group / 2, memory_order_relaxed, memory_scope_device) == 0) {
        atomic_store_explicit(seen + group / 2, 1, memory_order_relaxed, memory_scope_device);
        return;
    }
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
    total[group / 2] = parts[group] + parts[group ^ 1];
}

kernel void mended(global atomic_uint *seen, global uint *parts, global uint *total)
{
    const uint group = get_group_id(0);

    parts[group] = group + 1;
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
    if (atomic_exchange_explicit(seen + group / 2, 1, memory_order_relaxed, memory_scope_device) == 0)
        return;
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
    total[group / 2] = parts[group] + parts[group ^ 1];
}
