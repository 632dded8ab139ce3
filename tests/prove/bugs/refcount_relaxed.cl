// Who drops the last reference clears the object. Dropping it orders nothing, so others' last accesses may come after.
// Mended, dropping releases and acquires.

static void run(global atomic_uint *references, global uint *object, global uint *out, memory_order order)
{
    const uint group = get_group_id(0);

    out[group] = object[group] + 1;
    object[group] = group + 1;
    if (atomic_fetch_sub_explicit(references, 1, order, memory_scope_device) == 1 - (uint)get_num_groups(0)) {
        for (uint other = 0; other < get_num_groups(0); other++)
            object[other] = 0;
    }
}

kernel void wrong(global atomic_uint *references, global uint *object, global uint *out)
{
    run(references, object, out, memory_order_relaxed);
}

kernel void mended(global atomic_uint *references, global uint *object, global uint *out)
{
    run(references, object, out, memory_order_acq_rel);
}
