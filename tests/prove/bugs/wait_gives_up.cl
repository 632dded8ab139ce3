// A wait that gives up after some looks, so that it cannot hang, and then goes on as if it had been answered.

#ifndef PATIENCE
#define PATIENCE 3
#endif

kernel void wrong(global atomic_uint *flag, global uint *data, global uint *out)
{
    if (get_group_id(0) == 0) {
        data[0] = 42;
        atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
    } else {
        for (int look = 0; look < PATIENCE; ++look)
            if (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device))
                break;
        out[get_group_id(0)] = data[0];
    }
}

kernel void mended(global atomic_uint *flag, global uint *data, global uint *out)
{
    if (get_group_id(0) == 0) {
        data[0] = 42;
        atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
    } else {
        uint seen = 0;
        for (int look = 0; look < PATIENCE && !seen; ++look)
            seen = atomic_load_explicit(flag, memory_order_acquire, memory_scope_device);
        out[get_group_id(0)] = seen ? data[0] : 42;
    }
}
