// The slices of a split-K product add up one after the other, ordered by a semaphore that the last one should set back
// for the next tile. It does not, and the first slice of that waits for ever.

static void add_up(volatile global int *semaphore, int slice, int slices, bool back)
{
    while (atomic_cmpxchg(semaphore, slice, slice) != slice)
        ;
    atomic_xchg(semaphore, back && slice + 1 == slices ? 0 : slice + 1);
}

kernel void wrong(volatile global int *semaphore)
{
    for (int tile = 0; tile < 2; ++tile)
        add_up(semaphore, get_group_id(0), get_num_groups(0), false);
}

kernel void mended(volatile global int *semaphore)
{
    for (int tile = 0; tile < 2; ++tile)
        add_up(semaphore, get_group_id(0), get_num_groups(0), true);
}
