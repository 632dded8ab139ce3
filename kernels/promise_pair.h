/*
 * Pairs of work-items that measure a promise together: two of the same group (GL_GROUP), or of groups that are far
 * apart. No wait is needed: each of them has patience for so many looks at the other, in all its rounds.
 */
#ifndef GRIDLOCK_PROMISE_PAIR_H
#define GRIDLOCK_PROMISE_PAIR_H

enum { PAIR_LINE = 32, PAIR_WORDS = 3, PAIR_LOOKS = 1024 };

/* With whom `me` of `places` is paired. */
#if defined(GL_GROUP) && !defined(GL_LOCAL)
#define pair_other(me, places)                                                                                         \
    ((me) / (uint)get_local_size(0) * (uint)get_local_size(0) +                                                        \
     ((me) + (uint)get_local_size(0) / 2) % (uint)get_local_size(0))
#else
#define pair_other(me, places) (((me) + (places) / 2) % (places))
#endif

/* After many looks: on a CPU the other one may need the processor. */
#if defined(GL_YIELD)
static __attribute__((noinline)) void pair_give(void) /* not inline, as gl_yield */
{
    long call = 24; /* sched_yield on x86-64 Linux */
    __asm__ volatile("syscall" : "+a"(call) : : "rcx", "r11", "memory");
}
static void pair_yield(uint looks)
{
    if (looks % PAIR_LOOKS == 0)
        pair_give();
}
#endif

/* What a work-item tells: the rounds that it did, those that say something, and words that were too old. */
#define pair_end(out, seen, stale) vstore3((uint3)(GL_ROUNDS, seen, stale), get_global_id(0), out)

#endif
