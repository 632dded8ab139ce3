// A bakery: who comes takes a number higher than all, and the lowest is served. That somebody is choosing is not said:
// two with one number may both enter. Mended, others wait while one chooses.

static uint at(global atomic_uint *words, uint group)
{
    return atomic_load_explicit(words + group, memory_order_seq_cst, memory_scope_device);
}

static void put(global atomic_uint *words, uint group, uint value)
{
    atomic_store_explicit(words + group, value, memory_order_seq_cst, memory_scope_device);
}

static void run(global atomic_uint *choosing, global atomic_uint *numbers, global uint *value, int says_so)
{
    const uint me = get_group_id(0), groups = get_num_groups(0);
    uint most = 0;

    if (says_so)
        put(choosing, me, 1);
    for (uint other = 0; other < groups; other++)
        most = max(most, at(numbers, other));
    put(numbers, me, most + 1);
    if (says_so)
        put(choosing, me, 0);
    for (uint other = 0; other < groups; other++) {
        uint number;

        while (says_so && at(choosing, other) != 0)
            ;
        do
            number = at(numbers, other);
        while (number != 0 && (number < most + 1 || (number == most + 1 && other < me)));
    }
    *value = *value + 1;
    put(numbers, me, 0);
}

kernel void wrong(global atomic_uint *choosing, global atomic_uint *numbers, global uint *value)
{
    run(choosing, numbers, value, 0);
}

kernel void mended(global atomic_uint *choosing, global atomic_uint *numbers, global uint *value)
{
    run(choosing, numbers, value, 1);
}
