// A free list as a stack: between reading the first node's link and exchanging the head, another group takes two nodes
// and puts the first back, so the exchange succeeds and makes a node first that is in use. Its second owner waits for
// ever. Mended, a count in the head changes with each exchange. Links are relative: zeroed, they are the list 0, 1, 2.

static uint pop(volatile global uint *head, volatile global uint *links, uint count)
{
    uint seen, node;

    do {
        seen = atomic_add(head, 0);
        node = seen & 0xff;
    } while (atomic_cmpxchg(head, seen, (seen & ~0xffu) + count + node + 1 + atomic_add(links + node, 0)) != seen);
    return node;
}

static void push(volatile global uint *head, volatile global uint *links, uint node, uint count)
{
    uint seen;

    do {
        seen = atomic_add(head, 0);
        atomic_xchg(links + node, (seen & 0xff) - node - 1);
    } while (atomic_cmpxchg(head, seen, (seen & ~0xffu) + count + node) != seen);
}

static void own(volatile global uint *owned, uint node)
{
    while (atomic_xchg(owned + node, 1) != 0)
        ;
}

static void run(volatile global uint *head, volatile global uint *links, volatile global uint *owned, uint count)
{
    if (get_group_id(0) == 0) {
        own(owned, pop(head, links, count));
        own(owned, pop(head, links, count));
    } else {
        const uint first = pop(head, links, count);

        own(owned, pop(head, links, count));
        push(head, links, first, count);
    }
}

kernel void wrong(volatile global uint *head, volatile global uint *links, volatile global uint *owned)
{
    run(head, links, owned, 0);
}

kernel void mended(volatile global uint *head, volatile global uint *links, volatile global uint *owned)
{
    run(head, links, owned, 0x100);
}
