/*
 * kernel:  promise_sub_barrier
 * purpose: each work-item writes a word, and behind a barrier of its sub-group reads that of another one of it
 * needs:   nothing
 * fails:   a word that is older than the barrier is stale
 * source:  gridlock
 */
#include "promise_sub_group.h"

#if defined(GL_LOCAL)
#define MEMORY_FENCE CLK_LOCAL_MEM_FENCE
#else
#define MEMORY_FENCE CLK_GLOBAL_MEM_FENCE
#endif

kernel void promise_sub_barrier(global uint *board, global uint *cells, global uint *out, uint patience)
{
    const uint size = get_sub_group_size();
    const uint me = get_sub_group_local_id();
    const uint first = get_sub_group_id() * get_max_sub_group_size();
#if defined(GL_LOCAL)
    local uint kept[GL_PLACES];
    local uint *words = kept + first;
#else
    global uint *words = cells + get_group_id(0) * get_local_size(0) + first;
#endif
    uint done = 0, stale = 0;

    for (uint round = 1; round <= GL_ROUNDS; ++round) {
        const uint other = (me + round) % size;
        words[me] = round << 16 | me;
        sub_group_barrier(MEMORY_FENCE);
        stale += words[other] != (round << 16 | other);
        ++done;
        sub_group_barrier(MEMORY_FENCE);
    }
    out[get_global_id(0) * 3] = done;
    out[get_global_id(0) * 3 + 1] = done;
    out[get_global_id(0) * 3 + 2] = stale;
}
