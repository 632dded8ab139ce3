// Counts in steps of two to a number that is never met.

kernel void count(global uint *out, uint count)
{
    uint i = 1;

    while (i != 2 * count)
        i += 2;
    out[get_global_id(0)] = i;
}
