// Work-items go through a loop as often as they have rows, and meet in it: those with one row less are at the barrier
// behind the loop when others are at the one inside. Mended, all go through it as often.

kernel void wrong(global uint *rows)
{
    local uint shared[4];
    const uint item = get_local_id(0), items = get_local_size(0);

    for (uint row = 0; row < 1 + item; row++) {
        shared[item] = row;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint row = 1 + item; row < items; row++) {
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    rows[get_global_id(0)] = shared[item];
}

kernel void mended(global uint *rows)
{
    local uint shared[4];
    const uint item = get_local_id(0), items = get_local_size(0);

    for (uint row = 0; row < items; row++) {
        if (row < 1 + item)
            shared[item] = row;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    rows[get_global_id(0)] = shared[item];
}
