// Two that want a lock say so and give way to each other, both again and again. Mended, a turn says who gives way.

static uint get(global atomic_uint *word)
{
    return atomic_load_explicit(word, memory_order_seq_cst, memory_scope_device);
}

static void set(global atomic_uint *word, uint value)
{
    atomic_store_explicit(word, value, memory_order_seq_cst, memory_scope_device);
}

kernel void wrong(global atomic_uint *wants, global atomic_uint *turn, global uint *value)
{
    const uint me = get_group_id(0);

    set(wants + me, 1);
    while (get(wants + 1 - me) != 0) {
        set(wants + me, 0);
        set(wants + me, 1);
    }
    *value = *value + 1;
    set(wants + me, 0);
}

kernel void mended(global atomic_uint *wants, global atomic_uint *turn, global uint *value)
{
    const uint me = get_group_id(0);

    set(wants + me, 1);
    while (get(wants + 1 - me) != 0) {
        if (get(turn) != me) {
            set(wants + me, 0);
            while (get(turn) != me)
                ;
            set(wants + me, 1);
        }
    }
    *value = *value + 1;
    set(turn, 1 - me);
    set(wants + me, 0);
}
