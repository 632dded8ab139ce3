// Work-items behind the end of the data return before a barrier of their group.
// Public: opencv/opencv #2977, openmm/openmm #3621, LeelaChessZero/lc0 #2420.

kernel void wrong(global uint *cells, uint n)
{
    local uint copy[2];
    const uint id = get_global_id(0);

    if (id >= n)
        return;
    copy[get_local_id(0)] = cells[id];
    barrier(CLK_LOCAL_MEM_FENCE);
    cells[id] = copy[0] + 1;
}

kernel void mended(global uint *cells, uint n)
{
    local uint copy[2];
    const uint id = get_global_id(0);

    if (id < n)
        copy[get_local_id(0)] = cells[id];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id < n)
        cells[id] = copy[0] + 1;
}
