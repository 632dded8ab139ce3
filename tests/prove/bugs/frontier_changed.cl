// A persistent kernel goes on, level by level, while somebody changes something. The first group clears the word for
// the next level although others have yet to read it for this one: some leave, and the rest meet without them.

static void sync_all(global atomic_uint *arrived, uint *goal)
{
    *goal += get_num_groups(0);
    atomic_fetch_add(arrived, 1);
    while (atomic_load(arrived) < *goal)
        ;
}

static void run(global atomic_uint *arrived, global atomic_uint *changed, bool again)
{
    const uint group = get_group_id(0);
    uint goal = 0;

    for (uint level = 0;; ++level) {
        if (group == 0)
            atomic_store(changed, 0);
        sync_all(arrived, &goal);
        if (level == 0 && group == 1)
            atomic_store(changed, 1);
        sync_all(arrived, &goal);
        const bool stop = atomic_load(changed) == 0;
        if (again)
            sync_all(arrived, &goal);
        if (stop)
            break;
    }
}

kernel void wrong(global atomic_uint *arrived, global atomic_uint *changed)
{
    run(arrived, changed, false);
}

kernel void mended(global atomic_uint *arrived, global atomic_uint *changed)
{
    run(arrived, changed, true);
}
