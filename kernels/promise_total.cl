/*
 * kernel:  promise_total
 * purpose: two work-items each raise a flag and then look at the other's: in one order of all that they do, the second
 *          one sees what the first one has raised
 * needs:   nothing: flags that are raised long after each other are seen, too
 * fails:   both see the other's flag down
 * source:  Dijkstra, 1965 (the core of Dekker's algorithm)
 *
 * The flags are of one word for each work-item and round; what was seen, plus 1, is what the host compares. GL_FENCE:
 * relaxed accesses around a fence of GL_ORDER; else the accesses are of that order.
 */
#include "promise_pair.h"

#if defined(GL_FENCE) || defined(GL_UNORDERED)
#define ORDER memory_order_relaxed
#else
#define ORDER GL_ORDER
#endif

kernel void promise_total(global uint *board, global uint *cells, global uint *out, uint patience)
{
    const uint me = (uint)get_global_id(0), places = (uint)get_global_size(0);
    const uint other = pair_other(me, places);
    volatile global atomic_uint *mine = (volatile global atomic_uint *)(board + me * PAIR_LINE);
    volatile global atomic_uint *others = (volatile global atomic_uint *)(board + other * PAIR_LINE);
    volatile global atomic_uint *flags = (volatile global atomic_uint *)cells;
    uint seen = 0;

    for (uint round = 1; round <= GL_ROUNDS; ++round) {
        atomic_store_explicit(mine, round, memory_order_relaxed, GL_SCOPE);
        uint now = atomic_load_explicit(others, memory_order_relaxed, GL_SCOPE);
        for (; now < round && patience > 0; --patience) {
#if defined(GL_YIELD)
            pair_yield(patience);
#endif
            now = atomic_load_explicit(others, memory_order_relaxed, GL_SCOPE);
        }
        seen += now == round && round < GL_ROUNDS; /* the other one has not ended */
        atomic_store_explicit(flags + me * GL_ROUNDS + round - 1, 1u, ORDER, GL_SCOPE);
#if defined(GL_FENCE) && !defined(GL_UNORDERED)
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, GL_ORDER, GL_SCOPE);
#endif
        cells[(places + me) * GL_ROUNDS + round - 1] =
            1 + atomic_load_explicit(flags + other * GL_ROUNDS + round - 1, ORDER, GL_SCOPE);
#if defined(GL_GROUP)
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
    pair_end(out, seen, 0);
}
