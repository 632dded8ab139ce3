// Each takes its left fork and then its right one: if all have the left one, nobody gets a right one.
// Mended, the fork with the lower number is taken first. Dijkstra, EWD 310.

static void take(global atomic_uint *fork)
{
    while (atomic_exchange_explicit(fork, 1, memory_order_acquire, memory_scope_device) != 0)
        ;
}

static void put_back(global atomic_uint *fork)
{
    atomic_store_explicit(fork, 0, memory_order_release, memory_scope_device);
}

kernel void wrong(global atomic_uint *forks)
{
    const uint left = get_group_id(0), right = (left + 1) % get_num_groups(0);

    take(forks + left);
    take(forks + right);
    put_back(forks + right);
    put_back(forks + left);
}

kernel void mended(global atomic_uint *forks)
{
    const uint left = get_group_id(0), right = (left + 1) % get_num_groups(0);

    take(forks + min(left, right));
    take(forks + max(left, right));
    put_back(forks + max(left, right));
    put_back(forks + min(left, right));
}
