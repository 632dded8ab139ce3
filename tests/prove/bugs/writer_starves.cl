// A lock for many readers or one writer. Readers come again until they see what the writer has written; the writer only
// gets in when no reader is inside, which nothing promises. Mended, new readers hold back while a writer waits.
// Courtois, Heymans and Parnas, CACM 1971 (readers or writers first).

#define WRITER 0x100

static void write(volatile global uint *state, volatile global uint *version)
{
    while (atomic_cmpxchg(state, 0, WRITER) != 0)
        ;
    atomic_xchg(version, 1);
    atomic_sub(state, WRITER);
}

static uint read(volatile global uint *state, volatile global uint *version)
{
    uint seen = 0;

    if (atomic_inc(state) < WRITER)
        seen = atomic_add(version, 0);
    atomic_dec(state);
    return seen;
}

kernel void wrong(volatile global uint *state, volatile global uint *version, volatile global uint *writers)
{
    if (get_group_id(0) == 0) {
        write(state, version);
    } else {
        while (read(state, version) == 0)
            ;
    }
}

kernel void mended(volatile global uint *state, volatile global uint *version, volatile global uint *writers)
{
    if (get_group_id(0) == 0) {
        atomic_inc(writers);
        write(state, version);
        atomic_dec(writers);
    } else {
        do {
            while (atomic_add(writers, 0) != 0)
                ;
        } while (read(state, version) == 0);
    }
}
