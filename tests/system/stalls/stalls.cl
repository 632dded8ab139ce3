/* Kernels that stall, each in its own way; `w` has 64 words that are zero, and `n` groups of `m` items are launched. */

kernel void flag_never_set(global volatile int *w, int n)
{
    while (w[0] == 0)
        ;
}

kernel void ring_of_groups(global volatile int *w, int n)
{
    const int i = (int)get_group_id(0);
    while (w[i] == 0)
        ;
    w[(i + 1) % n] = 1;
}

kernel void barrier_of_more(global volatile int *w, int n)
{
    if (get_local_id(0) == 0)
        atomic_inc((global int *)w);
    while (w[0] < n + 1)
        ;
}

kernel void lock_never_released(global volatile int *w, int n)
{
    if (get_local_id(0) == 0)
        while (atomic_cmpxchg((global int *)w, 0, 1) != 0)
            ;
}

kernel void ticket_skipped(global volatile int *w, int n)
{
    if (get_local_id(0) == 0) {
        const int mine = atomic_add((global int *)w, 2);
        while (w[1] != mine + 1)
            ;
    }
}

kernel void consumer_alone(global volatile int *w, int n)
{
    const int i = 8 + (int)get_group_id(0);
    int sum = 0;
    do
        sum = w[i] & 1;
    while (sum == 0);
    w[0] = sum;
}

kernel void later_group(global volatile int *w, int n)
{
    const int i = (int)get_group_id(0);
    while (i + 1 < 1000 && w[(i + 1) % 64] == 0)
        ;
    w[i % 64] = 1;
}

kernel void item_waits_for_item(global volatile int *w, int n)
{
    local volatile int set;
    if (get_local_id(0) == 0)
        while (w[2] != 7)
            ;
    else
        w[2] = 7 * (w[3] + 1) * (w[4] == 1);
}

kernel void no_way_out(global volatile int *w, int n)
{
    for (int i = 0;; i ^= 1)
        if (w[i] != 0)
            return;
}

int answer(global volatile int *w)
{
    return w[5];
}

kernel void in_a_function(global volatile int *w, int n)
{
    while (answer(w) != 42)
        ;
    w[0] = 1;
}
