// The word that says whether a loop goes on is written for the next turn while others have yet to read it for this one:
// one work-item leaves, and the others meet without it. Public: arrayfire/arrayfire #3535.

kernel void wrong(global uint *cells)
{
    local uint more;

    for (uint turn = 0;; ++turn) {
        if (get_local_id(0) == 0)
            more = turn < 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (!more)
            break;
        cells[get_global_id(0)] += 1;
    }
}

kernel void mended(global uint *cells)
{
    local uint more;

    for (uint turn = 0;; ++turn) {
        if (get_local_id(0) == 0)
            more = turn < 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (!more)
            break;
        cells[get_global_id(0)] += 1;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
