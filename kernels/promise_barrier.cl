/*
 * kernel:  promise_barrier
 * purpose: each work-item writes a word, and behind a barrier reads that of another one of its group
 * needs:   nothing
 * fails:   a word that is older than the barrier is stale
 * source:  gridlock
 */
#if defined(GL_LOCAL)
#define MEMORY_FENCE CLK_LOCAL_MEM_FENCE
#else
#define MEMORY_FENCE CLK_GLOBAL_MEM_FENCE
#endif

kernel void promise_barrier(global uint *board, global uint *cells, global uint *out, uint patience)
{
    const uint size = (uint)get_local_size(0);
    const uint me = (uint)get_local_id(0);
#if defined(GL_LOCAL)
    local uint words[GL_PLACES];
#else
    global uint *words = cells + get_group_id(0) * size;
#endif
    uint done = 0, stale = 0;

    for (uint round = 1; round <= GL_ROUNDS; ++round) {
        const uint other = (me + round) % size;
        words[me] = round << 16 | me;
        barrier(MEMORY_FENCE);
        stale += words[other] != (round << 16 | other);
        ++done;
        barrier(MEMORY_FENCE);
    }
    out[get_global_id(0) * 3] = done;
    out[get_global_id(0) * 3 + 1] = done;
    out[get_global_id(0) * 3 + 2] = stale;
}
