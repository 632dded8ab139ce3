// Two groups exclude each other without a lock word, and say that they want to enter after they have looked whether the
// other does. Mended: Peterson, IPL 1981.

kernel void wrong(global atomic_uint *wants, global atomic_uint *turn, global uint *sum)
{
    const uint me = get_group_id(0), other = 1 - me;

    while (atomic_load(wants + other))
        ;
    atomic_store(wants + me, 1);
    ++*sum;
    atomic_store(wants + me, 0);
}

kernel void mended(global atomic_uint *wants, global atomic_uint *turn, global uint *sum)
{
    const uint me = get_group_id(0), other = 1 - me;

    atomic_store(wants + me, 1);
    atomic_store(turn, other);
    while (atomic_load(wants + other) && atomic_load(turn) == other)
        ;
    ++*sum;
    atomic_store(wants + me, 0);
}
