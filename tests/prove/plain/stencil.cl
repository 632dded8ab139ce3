// A sum of three neighbours, by way of local memory with a border.

kernel void stencil(global const uint *in, global uint *out, local uint *tile)
{
    const uint id = get_global_id(0), at = get_local_id(0) + 1, end = get_local_size(0);

    tile[at] = in[id];
    if (at == 1)
        tile[0] = id > 0 ? in[id - 1] : 0;
    if (at == end)
        tile[end + 1] = id + 1 < get_global_size(0) ? in[id + 1] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[id] = tile[at - 1] + tile[at] + tile[at + 1];
}
