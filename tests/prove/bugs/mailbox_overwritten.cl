// A box for one message between two groups: the sender does not wait until the last message was taken. The receiver
// waits for one that was written over. Mended, the sender waits for an empty box.

static void run(global atomic_uint *box, global uint *sum, int waits)
{
    if (get_group_id(0) == 0) {
        for (uint message = 1; message <= 2; message++) {
            while (waits && atomic_load_explicit(box, memory_order_acquire, memory_scope_device) != 0)
                ;
            atomic_store_explicit(box, message, memory_order_release, memory_scope_device);
        }
    } else if (get_group_id(0) == 1) {
        uint got = 0;

        for (uint count = 0; count < 2; count++) {
            uint message;

            while ((message = atomic_exchange_explicit(box, 0, memory_order_acq_rel, memory_scope_device)) == 0)
                ;
            got += message;
        }
        *sum = got;
    }
}

kernel void wrong(global atomic_uint *box, global uint *sum)
{
    run(box, sum, 0);
}

kernel void mended(global atomic_uint *box, global uint *sum)
{
    run(box, sum, 1);
}
