// A square matrix transposed in place, in which both work-items exchange the same two numbers.

kernel void transpose(global uint *cells)
{
    const uint column = get_local_id(0), side = get_local_size(0), first = get_group_id(0) * side * side;

    for (uint row = 0; row < side; ++row) {
        const uint here = first + row * side + column, there = first + column * side + row;
        const uint kept = cells[here];

        cells[here] = cells[there];
        cells[there] = kept;
    }
}
