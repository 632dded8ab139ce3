// Work-items pass over the turn of the loop that is not theirs, and over the barrier with it: they meet as often as the
// others, but one in its first turn and one in its second. Mended, the barrier is in each turn.

kernel void wrong(global uint *rows)
{
    local uint shared[4];
    const uint item = get_local_id(0), items = get_local_size(0);

    for (uint row = 0; row < items; row++) {
        if (row == item)
            continue;
        shared[item] = row;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    rows[get_global_id(0)] = shared[item];
}

kernel void mended(global uint *rows)
{
    local uint shared[4];
    const uint item = get_local_id(0), items = get_local_size(0);

    for (uint row = 0; row < items; row++) {
        if (row != item)
            shared[item] = row;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    rows[get_global_id(0)] = shared[item];
}
