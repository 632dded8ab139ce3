// A histogram of two bins: of each group in local memory, and then of all.

kernel void histogram(global const uint *in, global uint *bins)
{
    local uint own[2];
    const uint at = get_local_id(0);

    for (uint bin = at; bin < 2; bin += get_local_size(0))
        own[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(own + in[get_global_id(0)] % 2);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint bin = at; bin < 2; bin += get_local_size(0))
        atomic_add(bins + bin, own[bin]);
}
