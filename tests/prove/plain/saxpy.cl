// A multiple of one vector added to another; the work-items stride over it.

kernel void saxpy(global const uint *x, global uint *y, uint factor, uint count)
{
    for (uint i = get_global_id(0); i < count; i += get_global_size(0))
        y[i] += factor * x[i];
}
