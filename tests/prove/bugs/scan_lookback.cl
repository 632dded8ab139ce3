// Decoupled look-back. State and value are two words: a group that sees the new state may still read the old value.
// Mended, both are in one word.

enum { AGGREGATE = 1, PREFIX = 2 };

kernel void wrong(volatile global uint *ticket, volatile global uint *states, volatile global uint *values)
{
    const uint tile = atomic_inc(ticket);
    uint sum = 1;

    values[tile] = sum;
    atomic_xchg(states + tile, AGGREGATE);
    for (uint at = tile; at-- > 0;) {
        uint state;
        while ((state = atomic_add(states + at, 0)) == 0)
            ;
        sum += values[at];
        if (state == PREFIX)
            break;
    }
    atomic_xchg(states + tile, PREFIX);
    values[tile] = sum;
}

kernel void mended(volatile global uint *ticket, volatile global uint *states, volatile global uint *values)
{
    const uint tile = atomic_inc(ticket);
    uint sum = 1;

    atomic_xchg(states + tile, sum << 2 | AGGREGATE);
    for (uint at = tile; at-- > 0;) {
        uint state;
        while ((state = atomic_add(states + at, 0)) == 0)
            ;
        sum += state >> 2;
        if ((state & 3) == PREFIX)
            break;
    }
    atomic_xchg(states + tile, sum << 2 | PREFIX);
    values[tile] = sum;
}
