// A function that takes a lock calls another one that takes it as well, and waits for itself.

typedef volatile __global int *lock_t;

void lock(lock_t l)
{
    while (atom_cmpxchg(l, 0, 1))
        ;
}
void unlock(lock_t l)
{
    atom_xchg(l, 0);
}

int grow(lock_t l, __global int *table)
{
    int at;

    lock(l);
    at = atomic_add(table, 1);
    unlock(l);
    return at;
}

__kernel void wrong(lock_t l, __global int *table)
{
    lock(l);
    if (atomic_add(table + 1, 0) == 0)
        atomic_xchg(table + 1, grow(l, table) + 1);
    unlock(l);
}

__kernel void mended(lock_t l, __global int *table)
{
    lock(l);
    if (atomic_add(table + 1, 0) == 0)
        atomic_xchg(table + 1, atomic_add(table, 1) + 1);
    unlock(l);
}
