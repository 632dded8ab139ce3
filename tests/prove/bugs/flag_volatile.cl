// A hand-over by a volatile flag, as OpenCL C 1.2 programs have it. volatile is no atomic: the flag itself races.

kernel void wrong(volatile global uint *flag, global uint *data, global uint *out)
{
    if (get_group_id(0) == 0) {
        *data = 42;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *flag = 1;
    } else {
        while (*flag == 0)
            ;
        out[get_group_id(0)] = *data;
    }
}

kernel void mended(volatile global uint *flag, global uint *data, global uint *out)
{
    volatile global atomic_uint *word = (volatile global atomic_uint *)flag;

    if (get_group_id(0) == 0) {
        *data = 42;
        atomic_store_explicit(word, 1, memory_order_release, memory_scope_device);
    } else {
        while (atomic_load_explicit(word, memory_order_acquire, memory_scope_device) == 0)
            ;
        out[get_group_id(0)] = *data;
    }
}
