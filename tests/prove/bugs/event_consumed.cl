// An event for all is awaited by an exchange that also clears it, so that only one of two that wait sees it.

__kernel void wrong(volatile __global unsigned *event)
{
    if (get_group_id(0) == 0)
        atomic_xchg(event, 1u);
    else
        while (!atomic_xchg(event, 0u))
            ;
}

__kernel void mended(volatile __global unsigned *event)
{
    if (get_group_id(0) == 0)
        atomic_xchg(event, 1u);
    else
        while (!atomic_or(event, 0u))
            ;
}
