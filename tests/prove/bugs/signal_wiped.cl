// A receiver sets the semaphore back to 0 after each batch, and wipes a signal of the next batch that came early.
// Public: tenstorrent/tt-metal #50794.

kernel void wrong(volatile global uint *ready)
{
    if (get_group_id(0) == 0) {
        for (uint batch = 1; batch <= 2; ++batch) {
            while (atomic_add(ready, 0) < 1)
                ;
            atomic_xchg(ready, 0);
        }
    } else {
        for (uint batch = 1; batch <= 2; ++batch)
            atomic_inc(ready);
    }
}

// What is waited for grows from batch to batch.
kernel void mended(volatile global uint *ready)
{
    if (get_group_id(0) == 0) {
        for (uint batch = 1; batch <= 2; ++batch) {
            while (atomic_add(ready, 0) < batch)
                ;
        }
    } else {
        for (uint batch = 1; batch <= 2; ++batch)
            atomic_inc(ready);
    }
}
