// A loop with a barrier is in a function that is called twice, with as many turns as a work-item has to do: together
// all do the same, but some are in the second loop where others are still in the first one. Mended, all have as many
// turns as the longest one.

static void fill(local uint *shared, uint turns, uint all)
{
    for (uint turn = 0; turn < all; turn++) {
        if (turn < turns)
            shared[get_local_id(0)] = turn;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

kernel void wrong(global uint *out)
{
    local uint shared[4];
    const uint mine = get_local_id(0) == 0 ? 1 : 2;

    fill(shared, mine, mine);
    fill(shared, 3 - mine, 3 - mine);
    out[get_global_id(0)] = shared[get_local_id(0)];
}

kernel void mended(global uint *out)
{
    local uint shared[4];
    const uint mine = get_local_id(0) == 0 ? 1 : 2;

    fill(shared, mine, 2);
    fill(shared, 3 - mine, 2);
    out[get_global_id(0)] = shared[get_local_id(0)];
}
