// A lock for many readers or one writer. A reader that finds nothing wants to write, keeps its place among the readers,
// and waits until it is the only one: two that do so wait for each other. Mended, it leaves first, and looks again.

#define WRITER 0x1000

static void read_lock(global atomic_int *state)
{
    int seen = atomic_load(state);

    for (;;) {
        if (seen >= WRITER)
            seen = atomic_load(state);
        else if (atomic_compare_exchange_strong(state, &seen, seen + 1))
            return;
    }
}

static void write_lock(global atomic_int *state, int readers)
{
    int seen = readers;

    while (!atomic_compare_exchange_strong(state, &seen, WRITER))
        seen = readers;
}

kernel void wrong(global atomic_int *state, global uint *value)
{
    read_lock(state);
    if (*value != 0) {
        atomic_fetch_sub(state, 1);
        return;
    }
    write_lock(state, 1);
    *value = 7;
    atomic_store(state, 0);
}

kernel void mended(global atomic_int *state, global uint *value)
{
    read_lock(state);
    const uint found = *value;
    atomic_fetch_sub(state, 1);
    if (found != 0)
        return;
    write_lock(state, 0);
    if (*value == 0)
        *value = 7;
    atomic_store(state, 0);
}
