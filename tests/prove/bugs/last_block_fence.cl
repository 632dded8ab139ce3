// The last block adds up what the others have written, but nothing orders their writes before their counts.
// Public: kokkos/kokkos #2681 (parallel_scan without a fence between blocks); NVIDIA/Fuser #2391.

kernel void wrong(global atomic_uint *count, global uint *parts, global uint *sum)
{
    parts[get_group_id(0)] = get_group_id(0) + 1;
    if (atomic_fetch_add_explicit(count, 1, memory_order_relaxed, memory_scope_device) == get_num_groups(0) - 1) {
        for (uint i = 0; i < get_num_groups(0); ++i)
            *sum += parts[i];
    }
}

kernel void mended(global atomic_uint *count, global uint *parts, global uint *sum)
{
    parts[get_group_id(0)] = get_group_id(0) + 1;
    if (atomic_fetch_add_explicit(count, 1, memory_order_acq_rel, memory_scope_device) == get_num_groups(0) - 1) {
        for (uint i = 0; i < get_num_groups(0); ++i)
            *sum += parts[i];
    }
}
