/*
 * kernel:  promise_group
 * purpose: which groups a launch has: each work-item counts that it ran, and says how large its group is and how many
 *          of it have met
 * needs:   nothing
 * fails:   it cannot; the host compares what the work-items say
 * source:  gridlock
 *
 * GL_X and GL_Y, where they are defined, are the size that its groups must have.
 */
#if defined(GL_X)
__attribute__((reqd_work_group_size(GL_X, GL_Y, 1)))
#endif
kernel void
promise_group(global uint *out)
{
    local uint met;
    const uint x = (uint)get_local_size(0);
    const uint y = (uint)get_local_size(1);
    const uint id = (uint)(get_global_id(0) + get_global_size(0) * get_global_id(1));

    if (get_local_id(0) == 0 && get_local_id(1) == 0)
        met = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&met);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&out[2 * id]);
    out[2 * id + 1] = met << 16 | y << 8 | x;
}
