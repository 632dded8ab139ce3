// One row of a product a group, whose work-items add into one word.

kernel void product(global const uint *left, global const uint *right, global uint *out)
{
    const uint row = get_group_id(0), i = get_local_id(0);

    for (uint column = 0; column < 2; ++column)
        out[row * 2 + column] += left[row * 2 + i] * right[i * 2 + column];
}
