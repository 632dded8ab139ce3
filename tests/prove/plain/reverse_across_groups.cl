// All numbers in reverse, in place: the barrier waits for those of the group, not for all.

kernel void reverse(global uint *cells)
{
    const uint other = cells[get_global_size(0) - 1 - get_global_id(0)];

    barrier(CLK_GLOBAL_MEM_FENCE);
    cells[get_global_id(0)] = other;
}
