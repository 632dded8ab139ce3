/* The heat of a plate: each step takes the mean of four neighbours. */
kernel void heat(global const float *from, global float *to, uint side)
{
    for (uint i = get_global_id(0); i < side * side; i += get_global_size(0)) {
        const uint x = i % side, y = i / side;
        if (x > 0 && y > 0 && x + 1 < side && y + 1 < side)
            to[i] = 0.25f * (from[i - 1] + from[i + 1] + from[i - side] + from[i + side]);
    }
}
