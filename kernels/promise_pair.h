/*
 * Pairs of work-items that measure a promise together: two of the same group (GL_GROUP), or of groups that are far apart.
 * No wait is needed: each of them has patience for so many looks at the other, in all its rounds.
 */
#ifndef GRIDLOCK_PROMISE_PAIR_H
#define GRIDLOCK_PROMISE_PAIR_H

enum { PAIR_LINE = 32, PAIR_WORDS = 3, PAIR_LOOKS = 1024 };

/* With whom `me` of `places` is paired. */
static uint pair_other(uint me, uint places)
{
#if defined(GL_GROUP) && !defined(GL_LOCAL)
    const uint size = (uint)get_local_size(0);
    return me / size * size + (me % size + size / 2) % size;
#else
    return (me + places / 2) % places;
#endif
}

/* After many looks: on a CPU the other one may need the processor. */
static void pair_yield(uint looks)
{
#if defined(GL_YIELD)
    long call = 24; /* sched_yield on x86-64 Linux */
    if (looks % PAIR_LOOKS == 0)
        __asm__ volatile("syscall" : "+a"(call) : : "rcx", "r11", "memory");
#endif
}

#define pair_end(out, done, seen, stale)                                                                               \
    do {                                                                                                               \
        (out)[get_global_id(0) * 3] = (done);                                                                          \
        (out)[get_global_id(0) * 3 + 1] = (seen);                                                                      \
        (out)[get_global_id(0) * 3 + 2] = (stale);                                                                     \
    } while (0)

#if defined(GL_GROUP)
#define pair_step() barrier(CLK_LOCAL_MEM_FENCE)
#else
#define pair_step()
#endif

#endif
