// A sum of three neighbours, which reads local memory without having waited for those who write it.

kernel void stencil(global const uint *in, global uint *out, local uint *tile)
{
    const uint id = get_global_id(0), at = get_local_id(0) + 1, end = get_local_size(0);

    tile[at] = in[id];
    if (at == 1)
        tile[0] = 0;
    if (at == end)
        tile[end + 1] = 0;
    out[id] = tile[at - 1] + tile[at] + tile[at + 1];
}
