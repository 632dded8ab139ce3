// The first work-item waits for another group and tells the rest by a volatile local word, at which they turn.
// Mended, a barrier holds them back.

kernel void wrong(global atomic_uint *flag, global uint *out)
{
    volatile local uint go;

    if (get_local_id(0) == 0)
        go = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_group_id(0) == 0) {
        if (get_local_id(0) == 0)
            atomic_store(flag, 1);
        return;
    }
    if (get_local_id(0) == 0) {
        while (atomic_load(flag) == 0)
            ;
        go = 1;
    }
    while (go == 0)
        ;
    out[get_global_id(0)] = go;
}

kernel void mended(global atomic_uint *flag, global uint *out)
{
    local uint go;

    if (get_group_id(0) == 0) {
        if (get_local_id(0) == 0)
            atomic_store(flag, 1);
        return;
    }
    if (get_local_id(0) == 0) {
        while (atomic_load(flag) == 0)
            ;
        go = 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = go;
}
