// Look-back with state and value packed in one word of 64 bits. A group changes them one after the other: others may
// find the state of now with the value of before. Mended, one exchange writes both. Written for OpenCL C 1.2.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

#define AGGREGATE 1ul
#define PREFIX 2ul

static ulong packed(ulong state, uint value)
{
    return state << 32 | value;
}

static uint look_back(volatile global ulong *tiles, uint tile)
{
    uint sum = 0;

    for (int at = (int)tile - 1; at >= 0;) {
        const ulong word = atom_add(tiles + at, 0ul);

        if (word >> 32 == 0)
            continue;
        sum += (uint)word;
        if (word >> 32 == PREFIX)
            break;
        at--;
    }
    return sum;
}

kernel void wrong(volatile global ulong *tiles, volatile global uint *counter, global uint *out)
{
    const uint tile = atomic_inc(counter), own = tile + 1;
    uint before;

    atom_xchg(tiles + tile, packed(AGGREGATE, own));
    before = look_back(tiles, tile);
    atom_add(tiles + tile, packed(PREFIX - AGGREGATE, 0));
    atom_add(tiles + tile, (ulong)before);
    out[tile] = before;
}

kernel void mended(volatile global ulong *tiles, volatile global uint *counter, global uint *out)
{
    const uint tile = atomic_inc(counter), own = tile + 1;
    uint before;

    atom_xchg(tiles + tile, packed(AGGREGATE, own));
    before = look_back(tiles, tile);
    atom_xchg(tiles + tile, packed(PREFIX, before + own));
    out[tile] = before;
}
