// A group looks whether the data are ready before it says that it waits; the other one makes them ready and sees nobody
// wait in between. Nobody wakes the first. Mended, it says so first, and then looks.

static void notify(global atomic_uint *ready, global atomic_uint *waits, global atomic_uint *wake)
{
    atomic_store_explicit(ready, 1, memory_order_seq_cst, memory_scope_device);
    if (atomic_load_explicit(waits, memory_order_seq_cst, memory_scope_device) != 0)
        atomic_store_explicit(wake, 1, memory_order_seq_cst, memory_scope_device);
}

static void sleep(global atomic_uint *wake)
{
    while (atomic_load_explicit(wake, memory_order_seq_cst, memory_scope_device) == 0)
        ;
}

kernel void wrong(global atomic_uint *ready, global atomic_uint *waits, global atomic_uint *wake)
{
    if (get_group_id(0) == 0) {
        notify(ready, waits, wake);
    } else if (atomic_load_explicit(ready, memory_order_seq_cst, memory_scope_device) == 0) {
        atomic_store_explicit(waits, 1, memory_order_seq_cst, memory_scope_device);
        sleep(wake);
    }
}

kernel void mended(global atomic_uint *ready, global atomic_uint *waits, global atomic_uint *wake)
{
    if (get_group_id(0) == 0) {
        notify(ready, waits, wake);
    } else {
        atomic_store_explicit(waits, 1, memory_order_seq_cst, memory_scope_device);
        if (atomic_load_explicit(ready, memory_order_seq_cst, memory_scope_device) == 0)
            sleep(wake);
    }
}
