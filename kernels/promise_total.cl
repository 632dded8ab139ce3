/*
 * kernel:  promise_total
 * purpose: two work-items each raise a flag and then look at the other's: in one order of all that they do, the second one
 *          sees what the first one has raised
 * needs:   nothing: flags that are raised long after each other are seen, too
 * fails:   both see the other's flag down
 * source:  Dijkstra, 1965 (the core of Dekker's algorithm)
 *
 * The flags are of one word for each work-item and round; what was seen, plus 1, is what the host compares. GL_FENCE: relaxed
 * accesses around a fence of GL_ORDER; else the accesses are of that order.
 */
#include "promise_pair.h"

static uint raise_and_look(global uint *mine, global uint *others)
{
    volatile global atomic_uint *raised = (volatile global atomic_uint *)mine;
    volatile global atomic_uint *looked_at = (volatile global atomic_uint *)others;
#if defined(GL_FENCE)
    atomic_store_explicit(raised, 1u, memory_order_relaxed, GL_SCOPE);
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, GL_ORDER, GL_SCOPE);
    return atomic_load_explicit(looked_at, memory_order_relaxed, GL_SCOPE);
#else
    atomic_store_explicit(raised, 1u, GL_ORDER, GL_SCOPE);
    return atomic_load_explicit(looked_at, GL_ORDER, GL_SCOPE);
#endif
}

kernel void promise_total(global uint *board, global uint *cells, global uint *out, uint patience)
{
    const uint me = (uint)get_global_id(0);
    const uint places = (uint)get_global_size(0);
    const uint other = pair_other(me, places);
    volatile global atomic_uint *mine = (volatile global atomic_uint *)(board + me * PAIR_LINE);
    volatile global atomic_uint *others = (volatile global atomic_uint *)(board + other * PAIR_LINE);
    uint done = 0, seen = 0;

    for (uint round = 1; round <= GL_ROUNDS; ++round) {
        atomic_store_explicit(mine, round, memory_order_relaxed, GL_SCOPE);
        uint now = atomic_load_explicit(others, memory_order_relaxed, GL_SCOPE);
        for (; now < round && patience > 0; --patience) {
            pair_yield(patience);
            now = atomic_load_explicit(others, memory_order_relaxed, GL_SCOPE);
        }
        seen += now == round && round < GL_ROUNDS; /* the other one has not ended */
        cells[(places + me) * GL_ROUNDS + round - 1] =
            1 + raise_and_look(cells + me * GL_ROUNDS + round - 1, cells + other * GL_ROUNDS + round - 1);
        ++done;
        pair_step();
    }
    pair_end(out, done, seen, 0);
}
