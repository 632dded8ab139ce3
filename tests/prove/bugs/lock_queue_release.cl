// A lock by a queue (Mellor-Crummey and Scott, ACM TOCS 1991), released by somebody who sees no successor although one
// has joined the queue and has yet to say so. It waits for ever. Nodes are numbered from 1.

static void enter(volatile global uint *tail, volatile global uint *next, volatile global uint *free)
{
    const uint node = get_group_id(0) + 1;
    const uint before = atomic_xchg(tail, node);

    if (before != 0) {
        atomic_xchg(next + before, node);
        while (atomic_add(free + node, 0) == 0)
            ;
    }
}

kernel void wrong(volatile global uint *tail, volatile global uint *next, volatile global uint *free)
{
    const uint node = get_group_id(0) + 1;

    enter(tail, next, free);
    if (atomic_add(next + node, 0) != 0)
        atomic_xchg(free + atomic_add(next + node, 0), 1);
    else
        atomic_cmpxchg(tail, node, 0);
}

kernel void mended(volatile global uint *tail, volatile global uint *next, volatile global uint *free)
{
    const uint node = get_group_id(0) + 1;

    enter(tail, next, free);
    if (atomic_add(next + node, 0) == 0) {
        if (atomic_cmpxchg(tail, node, 0) == node)
            return;
        while (atomic_add(next + node, 0) == 0)
            ;
    }
    atomic_xchg(free + atomic_add(next + node, 0), 1);
}
