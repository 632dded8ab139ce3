/* SIMT-Step's base tests (tests/unit/test_simt_step.c) in a sub-group of 2. One that does not hold never ends. */
#define SLOT(i) ((volatile global atomic_uint *)(slots + (i)))
#define LOAD(i) atomic_load_explicit(SLOT(i), memory_order_seq_cst, memory_scope_device)
#define STORE(i, value) atomic_store_explicit(SLOT(i), value, memory_order_seq_cst, memory_scope_device)
#define OWN get_local_id(0)
#define PEER (1 - get_local_id(0))
#define MEET barrier(CLK_GLOBAL_MEM_FENCE)
#define BOTH_WAYS(...)                                                                                                 \
    if (get_local_id(0) == 0) {                                                                                        \
        __VA_ARGS__;                                                                                                   \
    } else {                                                                                                           \
        __VA_ARGS__;                                                                                                   \
    }
#define HOLDS(what)                                                                                                    \
    MEET;                                                                                                              \
    while (!(what) && LOAD(4) == 0)                                                                                    \
        ;

kernel void cm_wr(global uint *slots)
{
    STORE(0, get_local_id(0));
    slots[2 + get_local_id(0)] = LOAD(0);
    MEET;
    HOLDS(slots[2] == slots[3])
}

kernel void sm_ww(global uint *slots)
{
    STORE(OWN, 1);
    STORE(PEER, 2);
    HOLDS(LOAD(OWN) == 2)
}

kernel void sm_rw(global uint *slots)
{
    const uint read = LOAD(OWN);
    STORE(PEER, 1);
    HOLDS(read == 0)
}

kernel void sm_wr(global uint *slots)
{
    STORE(PEER, 1);
    const uint read = LOAD(OWN);
    HOLDS(read == 1)
}

kernel void scf_ww(global uint *slots)
{
    STORE(OWN, 1);
    BOTH_WAYS(STORE(PEER, 2))
    HOLDS(LOAD(OWN) == 2)
}

kernel void scf_rw(global uint *slots)
{
    const uint read = LOAD(OWN);
    BOTH_WAYS(STORE(PEER, 1))
    HOLDS(read == 0)
}

kernel void scf_wr(global uint *slots)
{
    uint read;
    STORE(PEER, 1);
    BOTH_WAYS(read = LOAD(OWN))
    HOLDS(read == 1)
}

kernel void sso_ww(global uint *slots)
{
    STORE(OWN, 1);
    BOTH_WAYS(sub_group_all(1); STORE(PEER, 2))
    HOLDS(LOAD(OWN) == 2)
}

kernel void sso_rw(global uint *slots)
{
    const uint read = LOAD(OWN);
    BOTH_WAYS(sub_group_all(0); STORE(PEER, 1))
    HOLDS(read == 0)
}

kernel void sso_wr(global uint *slots)
{
    uint read;
    STORE(PEER, 1);
    BOTH_WAYS(sub_group_all(0); read = LOAD(OWN))
    HOLDS(read == 1)
}
