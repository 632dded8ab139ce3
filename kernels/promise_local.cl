/*
 * kernel:  promise_local
 * purpose: whether each work-group has local memory of its own that holds what was written: each work-item says how
 *          many words, which others of its group wrote, it has found as they were written
 * needs:   nothing
 * fails:   a work-item that found other values, or did not run, says too few
 * source:  gridlock
 *
 * The kernel declares GL_LOCAL_WORDS, or calls a kernel that does (GL_CALLED); without them the memory is an argument.
 */
#define DELAY_TURNS 4000
#define INLINE static inline __attribute__((always_inline))

/* Time in which other groups write theirs. */
static uint delay(uint state)
{
    for (uint i = 0; i < DELAY_TURNS; ++i) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
    }
    return state == 0;
}

INLINE void hold(global uint *out, local uint *kept, uint words)
{
    const uint me = (uint)get_local_id(0);
    const uint items = (uint)get_local_size(0);
    const uint salt = ((uint)get_group_id(0) + 1) * 0x9e3779b9u;
    uint found = 1;

    for (uint i = me; i < words; i += items)
        kept[i] = (i ^ salt) * 0x9e3779b9u;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me == 0)
        found += delay(salt);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = me; i < words; i += items)
        found += kept[words - 1 - i] == ((words - 1 - i) ^ salt) * 0x9e3779b9u;
    out[get_global_id(0)] = found;
}

#if defined(GL_CALLED)

kernel void called(global uint *out, uint words)
{
    local uint kept[GL_LOCAL_WORDS];
    hold(out, kept, words);
}

kernel void promise_local(global uint *out, uint words)
{
    called(out, words);
}

#elif defined(GL_LOCAL_WORDS)

kernel void promise_local(global uint *out, uint words)
{
    local uint kept[GL_LOCAL_WORDS];
    hold(out, kept, words);
}

#else

kernel void promise_local(global uint *out, uint words, local uint *kept)
{
    hold(out, kept, words);
}

#endif
