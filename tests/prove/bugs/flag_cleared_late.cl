// A group that was woken clears the flag after it has done its work, together with the next call, which came meanwhile.
// Mended, it clears the flag as soon as it sees it, and the caller waits until it is clear.

kernel void wrong(volatile global uint *flag, volatile global uint *done)
{
    for (uint call = 0; call < 2; ++call) {
        if (get_group_id(0) == 0) {
            atomic_xchg(flag, 1);
        } else {
            while (atomic_add(flag, 0) == 0)
                ;
            atomic_inc(done);
            atomic_xchg(flag, 0);
        }
    }
}

kernel void mended(volatile global uint *flag, volatile global uint *done)
{
    for (uint call = 0; call < 2; ++call) {
        if (get_group_id(0) == 0) {
            while (atomic_cmpxchg(flag, 0, 1) != 0)
                ;
        } else {
            while (atomic_cmpxchg(flag, 1, 0) != 1)
                ;
            atomic_inc(done);
        }
    }
}
