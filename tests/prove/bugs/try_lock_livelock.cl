// Two locks in opposite order, where one without the second gives back the first and begins again: nobody is stuck,
// and both may do so for ever. Mended, the lock with the lower number comes first.

#define TRY(l) (atomic_cmpxchg(&locks[l], 0, 1) == 0)
#define FREE(l) atomic_xchg(&locks[l], 0)

__kernel void wrong(volatile __global int *locks, volatile __global int *done)
{
    int first = get_group_id(0) & 1, second = 1 - first;
    bool finished = false;

    while (!finished) {
        if (TRY(first)) {
            if (TRY(second)) {
                atomic_inc(done);
                finished = true;
                FREE(second);
            }
            FREE(first);
        }
    }
}

__kernel void mended(volatile __global int *locks, volatile __global int *done)
{
    while (!TRY(0)) {
    }
    while (!TRY(1)) {
    }
    atomic_inc(done);
    FREE(1);
    FREE(0);
}
