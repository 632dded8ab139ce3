// A persistent grid scans twice with the same states: the second scan finds the prefixes of the first. Mended, a state
// says of which scan it is, and each scan has states of its own.

static uint scan(global atomic_uint *tiles, uint own, uint mark, uint distinct)
{
    const uint tile = get_group_id(0);
    uint sum = 0;

    if (tile > 0) {
        uint seen;

        do
            seen = atomic_load_explicit(tiles + tile - 1, memory_order_acquire, memory_scope_device);
        while (distinct ? seen >> 16 != mark : seen == 0);
        sum = seen & 0xffff;
    }
    atomic_store_explicit(tiles + tile, mark << 16 | (sum + own), memory_order_release, memory_scope_device);
    return sum;
}

kernel void wrong(global atomic_uint *tiles, global uint *out)
{
    for (uint round = 1; round <= 2; round++)
        out[get_group_id(0)] = scan(tiles, round, round, 0);
}

kernel void mended(global atomic_uint *tiles, global uint *out)
{
    const uint groups = get_num_groups(0);

    for (uint round = 1; round <= 2; round++)
        out[get_group_id(0)] = scan(tiles + (round - 1) * groups, round, round, 1);
}
