// Groups that want a lock take a slot each, in turns, and wait until the one before has opened it. There are fewer
// slots than groups: two wait at one slot, and both enter. Mended, there are as many as groups.

static void run(global atomic_uint *next, global atomic_uint *open, global uint *value, uint slots)
{
    const uint slot = atomic_fetch_add_explicit(next, 1, memory_order_relaxed, memory_scope_device) % slots;

    while (slot != 0 && atomic_load_explicit(open + slot, memory_order_acquire, memory_scope_device) == 0)
        ;
    *value = *value + 1;
    atomic_store_explicit(open + slot, 0, memory_order_relaxed, memory_scope_device);
    atomic_store_explicit(open + (slot + 1) % slots, 1, memory_order_release, memory_scope_device);
}

kernel void wrong(global atomic_uint *next, global atomic_uint *open, global uint *value)
{
    run(next, open, value, get_num_groups(0) - 1);
}

kernel void mended(global atomic_uint *next, global atomic_uint *open, global uint *value)
{
    run(next, open, value, get_num_groups(0));
}
