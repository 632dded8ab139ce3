// One row of a product of two by two matrices a group.

kernel void product(global const uint *left, global const uint *right, global uint *out)
{
    const uint row = get_group_id(0);

    for (uint column = get_local_id(0); column < 2; column += get_local_size(0)) {
        uint sum = 0;

        for (uint i = 0; i < 2; ++i)
            sum += left[row * 2 + i] * right[i * 2 + column];
        out[row * 2 + column] = sum;
    }
}
