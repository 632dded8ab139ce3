// A queue whose place is taken before its item is written: who comes for it in between gets nothing, and the item is
// never got. Public: kokkos/kokkos #988 (items pushed but never popped).

static void push(volatile global uint *tail, volatile global uint *slots)
{
    atomic_xchg(slots + atomic_inc(tail), 1);
}

kernel void wrong(volatile global uint *head, volatile global uint *tail, volatile global uint *slots,
                  volatile global uint *sum)
{
    push(tail, slots);
    atomic_add(sum, atomic_add(slots + atomic_inc(head), 0));
}

kernel void mended(volatile global uint *head, volatile global uint *tail, volatile global uint *slots,
                   volatile global uint *sum)
{
    uint item, at;

    push(tail, slots);
    at = atomic_inc(head);
    while ((item = atomic_add(slots + at, 0)) == 0)
        ;
    atomic_add(sum, item);
}
