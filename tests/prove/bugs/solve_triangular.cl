// A sparse triangular solve without synchronisation between launches: each row waits until all entries to its left have
// been taken off its in-degree. A row with two entries of one column is counted twice, and gets one of them only.
// Liu, Li, Hogg, Duff and Vinter, Euro-Par 2016.

static void solve(volatile global int *degree, volatile global int *left, int entries, int subtracted)
{
    const int row = get_group_id(0);

    if (row > 0) {
        const int needed = entries;
        while (-atomic_add(left + row, 0) < needed)
            ;
    }
    if (row + 1 < (int)get_num_groups(0))
        atomic_sub(left + row + 1, subtracted);
    atomic_inc(degree);
}

kernel void wrong(volatile global int *degree, volatile global int *left)
{
    solve(degree, left, 2, 1);
}

kernel void mended(volatile global int *degree, volatile global int *left)
{
    solve(degree, left, 2, 2);
}
