/* Work that comes of work: each value is worked at by a group, and may leave another one. */
void work(global uint *out, uint value)
{
    uint mixed = value * 2654435761u + get_local_id(0);
    for (uint i = 0; i < 16; ++i)
        mixed = mixed * 1664525u + 1013904223u;
    out[value * get_local_size(0) + get_local_id(0)] = mixed;
}

kernel void walk(global const uint *from, global uint *to, global uint *count, global uint *out, uint chains, uint total)
{
    const uint value = from[get_group_id(0)];
    work(out, value);
    if (get_local_id(0) == 0 && value + chains < total)
        to[atomic_inc(count)] = value + chains;
}
