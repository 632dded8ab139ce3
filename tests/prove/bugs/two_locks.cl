// Two locks that are taken in opposite order, in OpenCL C 1.2. The sums below them are plain: formally they race.

static void move(volatile global int *locks, global int *sums, uint from, uint to)
{
    while (atomic_cmpxchg(locks + from, 0, 1) != 0)
        ;
    while (atomic_cmpxchg(locks + to, 0, 1) != 0)
        ;
    sums[from] += 1;
    sums[to] -= 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(locks + to, 0);
    atomic_xchg(locks + from, 0);
}

kernel void wrong(volatile global int *locks, global int *sums)
{
    const uint even = get_group_id(0) % 2;

    move(locks, sums, even, 1 - even);
}

kernel void mended(volatile global int *locks, global int *sums)
{
    move(locks, sums, 0, 1);
}
