// Each group's numbers in reverse, in place.

kernel void reverse(global uint *cells)
{
    const uint id = get_global_id(0), last = get_local_size(0) - 1 - get_local_id(0);
    const uint other = cells[get_group_id(0) * get_local_size(0) + last];

    barrier(CLK_GLOBAL_MEM_FENCE);
    cells[id] = other;
}
