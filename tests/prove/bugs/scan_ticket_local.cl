// The first work-item takes the group's ticket; the others read it from local memory without having waited for it.

kernel void wrong(volatile global uint *ticket, global uint *out)
{
    local uint tile;

    if (get_local_id(0) == 0)
        tile = atomic_inc(ticket);
    out[tile * get_local_size(0) + get_local_id(0)] += 1;
}

kernel void mended(volatile global uint *ticket, global uint *out)
{
    local uint tile;

    if (get_local_id(0) == 0)
        tile = atomic_inc(ticket);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[tile * get_local_size(0) + get_local_id(0)] += 1;
}
