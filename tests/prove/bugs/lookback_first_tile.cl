// The first tile publishes its sum as a part, not as a prefix: whoever looks back past it finds no prefix and looks at
// what is before the array. Mended, the first tile's sum is a prefix.

static void run(global atomic_uint *tiles, global uint *out, uint first)
{
    const int tile = get_group_id(0);
    uint sum = 0;

    atomic_store_explicit(tiles + tile, (tile == 0 ? first : 1) << 30 | 1, memory_order_release, memory_scope_device);
    for (int at = tile - 1; tile > 0;) {
        const uint seen = atomic_load_explicit(tiles + at, memory_order_acquire, memory_scope_device);

        if (seen >> 30 == 0)
            continue;
        sum += seen & 0xffff;
        if (seen >> 30 == 2)
            break;
        at--;
    }
    out[tile] = sum;
}

kernel void wrong(global atomic_uint *tiles, global uint *out)
{
    run(tiles, out, 1);
}

kernel void mended(global atomic_uint *tiles, global uint *out)
{
    run(tiles, out, 2);
}
