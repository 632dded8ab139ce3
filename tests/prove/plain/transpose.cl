// A square matrix of one tile a group, transposed by way of local memory. The side is the local size.

kernel void transpose(global const uint *in, global uint *out, local uint *tile)
{
    const uint column = get_local_id(0), side = get_local_size(0), first = get_group_id(0) * side * side;

    for (uint row = 0; row < side; ++row)
        tile[row * side + column] = in[first + row * side + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint row = 0; row < side; ++row)
        out[first + row * side + column] = tile[column * side + row];
}
