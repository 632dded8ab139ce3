/* Sums of all values up to each one, in tiles of one group each: first sums of tiles, then of these, then all. */
#define PER 16 /* values of a work-item */

uint sum_of_item(global const uint *in, uint tile)
{
    uint sum = 0;
    for (uint i = 0; i < PER; ++i)
        sum += in[(tile * get_local_size(0) + get_local_id(0)) * PER + i];
    return sum;
}

/* Of the work-items before it; *all: of the whole tile. */
uint sum_before(local uint *sums, uint own, uint *all)
{
    uint before = 0;
    sums[get_local_id(0)] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    *all = 0;
    for (uint i = 0; i < get_local_size(0); ++i) {
        before += i < get_local_id(0) ? sums[i] : 0;
        *all += sums[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return before;
}

void write_tile(global const uint *in, global uint *out, uint tile, uint sum)
{
    for (uint i = 0; i < PER; ++i) {
        const uint at = (tile * get_local_size(0) + get_local_id(0)) * PER + i;
        out[at] = sum += in[at];
    }
}

kernel void scan(global const uint *in, global uint *out, global uint *tiles, uint count, uint pass)
{
    local uint sums[64];
    const uint tile = get_group_id(0);
    uint all, before = sum_before(sums, sum_of_item(in, tile), &all), sum = 0;
    if (pass == 0 && get_local_id(0) == 0)
        tiles[tile] = all;
    for (uint i = 0; pass == 1 && get_local_id(0) == 0 && i < count; ++i)
        tiles[i] = (sum += tiles[i]);
    if (pass == 2)
        write_tile(in, out, tile, (tile > 0 ? tiles[tile - 1] : 0) + before);
}
