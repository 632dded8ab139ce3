// A look-back that takes what is not published yet for nothing, instead of waiting for it.

kernel void wrong(volatile global uint *sums)
{
    const uint group = get_group_id(0);
    uint sum = 1;

    for (uint at = 0; at < group; ++at)
        sum += atomic_add(sums + at, 0);
    atomic_xchg(sums + group, sum);
}

kernel void mended(volatile global uint *sums)
{
    const uint group = get_group_id(0);
    uint sum = 1;

    for (uint at = 0; at < group; ++at) {
        uint seen;
        while ((seen = atomic_add(sums + at, 0)) == 0)
            ;
        sum += seen;
    }
    atomic_xchg(sums + group, sum);
}
