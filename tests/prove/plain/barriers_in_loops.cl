// Work-items leave loops with barriers by different ways, and come back to them: in each turn all or none of them are
// at the barrier.

kernel void ways_out(global uint *out)
{
    local uint shared[4];
    const uint item = get_local_id(0), items = get_local_size(0);

    for (uint round = 0; round < 3; round++) {
        for (uint turn = 0; turn < 4; turn++) {
            if (turn == round + 1) {
                if (item == round % items)
                    break; // before the turn's barrier, and others by the loop's condition
                turn = 4;
                continue;
            }
            shared[item] = turn;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        for (uint tries = 0; tries < item + 1; tries++) // no barrier in here
            out[get_global_id(0)] += shared[item];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

static uint sum(local uint *values, uint value)
{
    const uint item = get_local_id(0);
    uint stride = get_local_size(0) / 2;

    values[item] = value;
again:
    barrier(CLK_LOCAL_MEM_FENCE);
    if (stride == 0)
        return values[0];
    if (item < stride)
        values[item] += values[item + stride];
    stride /= 2;
    goto again;
}

kernel void sums(global uint *out)
{
    local uint values[4];
    uint total = 0;

    do {
        const uint more = sum(values, get_local_id(0) + 1);

        barrier(CLK_LOCAL_MEM_FENCE);
        total += more;
    } while (total < 12);
    out[get_global_id(0)] = total;
}

// No loop by itself: there are two ways in.
kernel void two_ways_in(global uint *out)
{
    const uint item = get_local_id(0);
    uint left = 3 + item;

    if (item == 0)
        goto inside;
around:
    left--;
inside:
    barrier(CLK_LOCAL_MEM_FENCE);
    if (left > 1)
        goto around;
    out[get_global_id(0)] = left;
}

// One waits for the other groups, the others for it.
kernel void polls(global atomic_uint *count, global uint *out)
{
    local uint seen;

    if (get_local_id(0) == 0)
        atomic_fetch_add_explicit(count, 1, memory_order_acq_rel, memory_scope_device);
    while (1) {
        if (get_local_id(0) == 0)
            seen = atomic_load_explicit(count, memory_order_acquire, memory_scope_device);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (seen >= get_num_groups(0))
            break;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = seen;
}

static uint put(local uint *shared, uint value, bool meets)
{
    shared[get_local_id(0)] = value;
    if (meets)
        barrier(CLK_LOCAL_MEM_FENCE);
    return shared[get_local_id(0)];
}

// A function with a barrier is called in loops by some more often than by others, who all meet there as often.
kernel void calls(global uint *out)
{
    local uint shared[4];
    uint total = 0;

    for (uint round = 0; round < 5; round++) {
        for (uint more = 0; more < get_local_id(0); more++)
            total += put(shared, more, false);
        if (get_local_id(0) == round % 2)
            total += put(shared, round, false);
        total += put(shared, round, true);
        for (uint turn = 0; turn < round; turn++)
            total += put(shared, turn, turn % 2 == 1);
    }
    out[get_global_id(0)] = total;
}
