// Keys are put into a table by comparing and exchanging, place after place, round after round if there is none
// left. Mended, it gives up after one.

static int put(volatile global uint *table, uint size, uint key, uint most)
{
    uint at = key % size;

    for (uint tries = 0; tries < most; tries++) {
        const uint old = atomic_cmpxchg(table + at, 0, key);

        if (old == 0 || old == key)
            return 1;
        at = (at + 1) % size;
    }
    return 0;
}

kernel void wrong(volatile global uint *table, volatile global uint *refused, uint size)
{
    while (!put(table, size, get_global_id(0) + 1, size))
        ;
}

kernel void mended(volatile global uint *table, volatile global uint *refused, uint size)
{
    if (!put(table, size, get_global_id(0) + 1, size))
        atomic_inc(refused);
}
