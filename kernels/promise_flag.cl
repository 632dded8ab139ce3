/*
 * kernel:  promise_flag
 * purpose: work-items test and set flags: who finds one clear holds it alone, until it clears it
 * needs:   nothing
 * fails:   a flag that two have set, or none, is in the sums that the host compares; so is a count that two changed at
 *          once
 * source:  gridlock
 *
 * GL_SCOPE: of the flags; GL_GROUP: each group has flags and counts of its own. Nobody waits: who finds a flag set goes
 * on.
 */
enum { ONCE = GL_TURNS, COUNTS = 8 };
enum { HELD, WON, DONE, TOLD };

#define TEST_AND_SET(flag) atomic_flag_test_and_set_explicit(flag, memory_order_acquire, GL_SCOPE)
#define CLEAR(flag) atomic_flag_clear_explicit(flag, memory_order_release, GL_SCOPE)

kernel void promise_flag(volatile global atomic_flag *flags, volatile global uint *counts, global uint *told)
{
    const uint me = (uint)get_global_id(0);
#if defined(GL_GROUP)
    flags += get_group_id(0) * (ONCE + 1);
    counts += get_group_id(0) * COUNTS;
#endif
    uint held = 0, won = 0;

    for (uint turn = 0; turn < GL_TURNS; ++turn) {
        if (!TEST_AND_SET(flags + turn)) /* which nobody clears */
            ++won;
        if (!TEST_AND_SET(flags + ONCE)) {
            for (uint i = 0; i < COUNTS; ++i)
                counts[i] = counts[i] + 1;
            ++held;
            CLEAR(flags + ONCE);
        }
    }
    told[me * TOLD + HELD] = held;
    told[me * TOLD + WON] = won;
    told[me * TOLD + DONE] = GL_TURNS;
}
