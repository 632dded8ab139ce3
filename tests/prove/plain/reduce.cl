// The sum of each group, by halves.

kernel void reduce(global const uint *in, global uint *out, local uint *part)
{
    const uint at = get_local_id(0);

    part[at] = in[get_global_id(0)];
    for (uint width = get_local_size(0) / 2; width > 0; width /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (at < width)
            part[at] += part[at + width];
    }
    if (at == 0)
        out[get_group_id(0)] = part[0];
}
