// One work-item waits for the flag; a barrier for local memory alone lets the others of its group go on, who read what
// was published. Nothing orders their reads behind the wait. Mended, the barrier is for global memory, too.

static void run(global atomic_uint *flag, global uint *data, global uint *out, int fence)
{
    const uint item = get_local_id(0);

    if (get_group_id(0) == 0) {
        data[item] = item + 1;
        work_group_barrier(CLK_GLOBAL_MEM_FENCE);
        if (item == 0)
            atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
        return;
    }
    if (item == 0) {
        while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) == 0)
            ;
    }
    if (fence)
        work_group_barrier(CLK_GLOBAL_MEM_FENCE);
    else
        work_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = data[item];
}

kernel void wrong(global atomic_uint *flag, global uint *data, global uint *out)
{
    run(flag, data, out, 0);
}

kernel void mended(global atomic_uint *flag, global uint *data, global uint *out)
{
    run(flag, data, out, 1);
}
