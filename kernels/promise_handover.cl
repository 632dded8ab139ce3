/*
 * kernel:  promise_handover
 * purpose: each work-item publishes plain words, round by round, and reads those of another one as far as it sees them
 *          published
 * needs:   nothing: who does not see the other in time goes on, and the round says nothing
 * fails:   a word that is older than what was published is stale
 * source:  gridlock
 *
 * Each round has words of its own, so that nobody reads a word that is being written; words of the next round are in
 * the same cache line, which a cache that nobody told would keep. GL_GROUP: both are of one group, which a barrier for
 * local memory alone keeps in step. GL_LOCAL: the words are in local memory. GL_ORDER and GL_SCOPE are those of the
 * store and the load, with GL_FENCE of a fence before and behind them; with GL_MEM_FENCE it is the mem_fence of OpenCL
 * C 1.2. With GL_UNORDERED there is neither order nor fence, which shows whether the device lets it be seen that they
 * are missing.
 */
#include "promise_pair.h"

#if defined(GL_LOCAL)
#define MEMORY local
#define MEMORY_FENCE CLK_LOCAL_MEM_FENCE
#else
#define MEMORY global
#define MEMORY_FENCE CLK_GLOBAL_MEM_FENCE
#endif

#if defined(GL_MEM_FENCE)

static void publish(MEMORY uint *flag, uint round)
{
    mem_fence(MEMORY_FENCE);
    atomic_xchg((volatile MEMORY uint *)flag, round);
}
static uint published(MEMORY uint *flag)
{
    const uint round = atomic_or((volatile MEMORY uint *)flag, 0u);
    mem_fence(MEMORY_FENCE);
    return round;
}

#elif defined(GL_UNORDERED)

#define publish(flag, round)                                                                                           \
    atomic_store_explicit((volatile MEMORY atomic_uint *)(flag), round, memory_order_relaxed, GL_SCOPE)
#define published(flag) atomic_load_explicit((volatile MEMORY atomic_uint *)(flag), memory_order_relaxed, GL_SCOPE)

#elif defined(GL_FENCE)

#define publish(flag, round)                                                                                           \
    atomic_work_item_fence(MEMORY_FENCE, GL_ORDER, GL_SCOPE);                                                          \
    atomic_store_explicit((volatile MEMORY atomic_uint *)(flag), round, memory_order_relaxed, GL_SCOPE)
static uint published(MEMORY uint *flag)
{
    const uint round = atomic_load_explicit((volatile MEMORY atomic_uint *)flag, memory_order_relaxed, GL_SCOPE);
    atomic_work_item_fence(MEMORY_FENCE, GL_ORDER, GL_SCOPE);
    return round;
}

#else

#define publish(flag, round) atomic_store_explicit((volatile MEMORY atomic_uint *)(flag), round, GL_RELEASE, GL_SCOPE)
#define published(flag) atomic_load_explicit((volatile MEMORY atomic_uint *)(flag), GL_ACQUIRE, GL_SCOPE)

#endif

/* Never 0, which is what a word is before. */
#define VALUE(place, round, word) (((place) << 20 | (round) << 4 | (word)) + 1)

kernel void promise_handover(global uint *board, global uint *cells, global uint *out, uint patience)
{
#if defined(GL_LOCAL)
    local uint near_flags[GL_PLACES * PAIR_LINE], near_words[GL_PLACES * GL_ROUNDS * PAIR_WORDS];
    local uint *flags = near_flags, *words = near_words;
    const uint me = (uint)get_local_id(0), places = (uint)get_local_size(0);
    for (uint i = me; i < GL_PLACES * PAIR_LINE; i += places)
        flags[i] = 0;
    for (uint i = me; i < GL_PLACES * GL_ROUNDS * PAIR_WORDS; i += places)
        words[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
#else
    global uint *flags = board, *words = cells;
    const uint me = (uint)get_global_id(0), places = (uint)get_global_size(0);
#endif
    const uint other = pair_other(me, places);
    uint seen = 0, stale = 0, last = 0;

    for (uint round = 1; round <= GL_ROUNDS; ++round) {
        for (uint word = 0; word < PAIR_WORDS; ++word)
            words[(word * places + me) * GL_ROUNDS + round - 1] = VALUE(me, round, word);
        publish(flags + me * PAIR_LINE, round);
        uint now = published(flags + other * PAIR_LINE);
        for (; now < round && patience > 0; --patience) {
#if defined(GL_YIELD)
            pair_yield(patience);
#endif
            now = published(flags + other * PAIR_LINE);
        }
        if (now > last && now <= GL_ROUNDS) {
            for (uint word = 0; word < PAIR_WORDS; ++word)
                stale += words[(word * places + other) * GL_ROUNDS + now - 1] != VALUE(other, now, word);
            seen += now < GL_ROUNDS; /* who has ended already does not show what happens at the same time */
            last = now;
        }
#if defined(GL_GROUP)
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
    pair_end(out, seen, stale);
}
