// How many numbers are odd, by atomics of OpenCL C 3.0 that order nothing.

kernel void count(global const uint *in, global atomic_uint *odd)
{
    if (in[get_global_id(0)] % 2 != 0)
        atomic_fetch_add_explicit(odd, 1, memory_order_relaxed, memory_scope_device);
}
