// As barrier_other_turn.cl, with the barrier in a function that the loop calls, and that has nothing to do where there
// are no work-items to meet. Mended, all call it in each turn.

static void put(local uint *shared, uint value, bool meets)
{
    if (!meets)
        return;
    shared[get_local_id(0)] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
}

static void put_if_several(local uint *shared, uint value)
{
    put(shared, value, get_local_size(0) > 1);
}

kernel void wrong(global uint *rows)
{
    local uint shared[4];
    const uint item = get_local_id(0), items = get_local_size(0);

    shared[item] = items;
    for (uint row = 0; row < items; row++) {
        if (row == item)
            continue;
        put_if_several(shared, row);
    }
    rows[get_global_id(0)] = shared[item];
}

kernel void mended(global uint *rows)
{
    local uint shared[4];
    const uint item = get_local_id(0), items = get_local_size(0);

    shared[item] = items;
    for (uint row = 0; row < items; row++)
        put_if_several(shared, row == item ? shared[item] : row);
    rows[get_global_id(0)] = shared[item];
}
