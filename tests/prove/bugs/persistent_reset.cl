// Persistent groups take tiles from a counter. Who takes the last one sets the counter back for the next launch, while
// others have not yet seen that there is nothing left: tiles are computed twice. Mended, the last group to leave does.

static int take(volatile global uint *next, uint *tile)
{
    *tile = atomic_inc(next);
    return *tile < 2;
}

kernel void wrong(volatile global uint *next, volatile global uint *left, volatile global uint *done)
{
    uint tile;

    while (take(next, &tile)) {
        atomic_inc(done + tile);
        if (tile == 1) {
            atomic_xchg(next, 0);
            break;
        }
    }
}

kernel void mended(volatile global uint *next, volatile global uint *left, volatile global uint *done)
{
    uint tile;

    while (take(next, &tile))
        atomic_inc(done + tile);
    if (atomic_inc(left) == get_num_groups(0) - 1) {
        atomic_xchg(next, 0);
        atomic_xchg(left, 0);
    }
}
