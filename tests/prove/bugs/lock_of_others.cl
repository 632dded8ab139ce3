// A way out common to those who have the lock and those who only tried: it also opens the lock of somebody else,
// and a third one enters beside its holder.

kernel void wrong(global atomic_flag *busy, global uint *sum, global atomic_uint *skipped)
{
    if (atomic_flag_test_and_set_explicit(busy, memory_order_acquire, memory_scope_device))
        atomic_fetch_add_explicit(skipped, 1, memory_order_relaxed, memory_scope_device);
    else
        *sum += 1;
    atomic_flag_clear_explicit(busy, memory_order_release, memory_scope_device);
}

kernel void mended(global atomic_flag *busy, global uint *sum, global atomic_uint *skipped)
{
    if (atomic_flag_test_and_set_explicit(busy, memory_order_acquire, memory_scope_device)) {
        atomic_fetch_add_explicit(skipped, 1, memory_order_relaxed, memory_scope_device);
        return;
    }
    *sum += 1;
    atomic_flag_clear_explicit(busy, memory_order_release, memory_scope_device);
}
