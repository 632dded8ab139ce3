// A queue lock: each group waits at the node of the one before it. It takes its own node again for the next time, while
// the one behind still looks at it. Mended, it takes the node of the one before it, at which nobody looks any more.

static void run(volatile global uint *tail, volatile global uint *busy, volatile global uint *sum, int own)
{
    uint node = get_group_id(0) + 1; // 0 is free

    for (uint round = 0; round < 2; round++) {
        uint before;

        atomic_xchg(busy + node, 1);
        before = atomic_xchg(tail, node);
        while (atomic_add(busy + before, 0) != 0)
            ;
        atomic_inc(sum);
        atomic_xchg(busy + node, 0);
        if (!own)
            node = before;
    }
}

kernel void wrong(volatile global uint *tail, volatile global uint *busy, volatile global uint *sum)
{
    run(tail, busy, sum, 1);
}

kernel void mended(volatile global uint *tail, volatile global uint *busy, volatile global uint *sum)
{
    run(tail, busy, sum, 0);
}
