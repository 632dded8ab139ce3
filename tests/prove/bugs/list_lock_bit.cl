// The lowest bit of a list's head is its lock. Who inserts reads the head before it has the lock, and writes a link to
// what was first then: what others inserted in between is lost. Mended, it takes the head that the lock gave.

static uint lock(volatile global uint *head)
{
    uint old;

    do
        old = atomic_or(head, 1);
    while (old & 1);
    return old;
}

kernel void wrong(volatile global uint *head, volatile global uint *links)
{
    const uint node = get_group_id(0) + 1, first = atomic_add(head, 0) & ~1u;

    lock(head);
    atomic_xchg(links + node, first);
    atomic_xchg(head, node << 1); // with the lock's bit open
}

kernel void mended(volatile global uint *head, volatile global uint *links)
{
    const uint node = get_group_id(0) + 1, first = lock(head);

    atomic_xchg(links + node, first);
    atomic_xchg(head, node << 1);
}
