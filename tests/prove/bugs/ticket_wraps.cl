// A lock whose tickets have fewer values than there are groups that may wait: two get the same and enter at once.

#define LOCK(bits)                                                                                                     \
    uint ticket = atomic_fetch_add(&words[0], 1) & ((1u << (bits)) - 1);                                               \
    while ((atomic_load(&words[1]) & ((1u << (bits)) - 1)) != ticket)                                                  \
        ;                                                                                                              \
    *sum += 1;                                                                                                         \
    atomic_fetch_add(&words[1], 1)

__kernel void wrong(__global atomic_uint *words, __global uint *sum)
{
    LOCK(1);
}

__kernel void mended(__global atomic_uint *words, __global uint *sum)
{
    LOCK(2);
}
