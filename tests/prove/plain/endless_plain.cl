// Turns until a plain word changes, which a compiler may read once: no atomic, nothing volatile.

kernel void wait(global uint *flag)
{
    if (get_group_id(0) == 0) {
        while (*flag == 0)
            ;
    } else {
        *flag = 1;
    }
}
