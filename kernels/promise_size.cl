/*
 * kernel:  promise_size
 * purpose: whether a work-group of a certain size runs: each work-item says how many have met in its group
 * needs:   nothing
 * fails:   a work-item that did not run leaves a zero; one whose group was divided counts too few
 * source:  gridlock
 *
 * With GL_ASSEMBLY there is inline assembly, which does nothing.
 *
 * GL_VALUES are kept alive in each work-item while its group meets, and GL_LOCAL_WORDS of local memory are the group's.
 */
kernel void promise_size(global uint *out, global uint *in, uint salt)
{
    local uint met;
#if GL_LOCAL_WORDS > 0
    local uint kept[GL_LOCAL_WORDS];
#endif
    const uint me =
        (uint)(get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2)));
    const uint id =
        (uint)(get_global_id(0) + get_global_size(0) * (get_global_id(1) + get_global_size(1) * get_global_id(2)));
    uint sum = 0;

    if (me == 0)
        met = 0;
#if GL_VALUES > 0
    /* Read again behind the barrier they could be others, so they have to be kept. */
    uint values[GL_VALUES];
    for (uint i = 0; i < GL_VALUES; ++i)
        values[i] = in[i];
#endif
#if GL_LOCAL_WORDS > 0
    for (uint i = me; i < GL_LOCAL_WORDS; i += (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)))
        kept[i] = i ^ salt;
#endif
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    atomic_inc(&met);
#if defined(GL_ASSEMBLY)
    __asm__ volatile("" : : : "memory");
#endif
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#if GL_VALUES > 0
    for (uint i = 0; i < GL_VALUES; ++i)
        sum += values[i];
#endif
#if GL_LOCAL_WORDS > 0
    /* Words that others wrote, all of them over the group. */
    for (uint i = me; i < GL_LOCAL_WORDS; i += (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)))
        sum += kept[GL_LOCAL_WORDS - 1 - i] != ((GL_LOCAL_WORDS - 1 - i) ^ salt);
#endif
    out[id] = (id ^ salt) * 0x9e3779b9u + met + sum;
}
