/*
 * What a group does while it waits for nobody. Rules that go by one way of passing the time are caught by another:
 *
 *   option work = toil    integer arithmetic, which touches no memory
 *                 float   arithmetic of another kind, of about the same length
 *                 nap     sleeps in the operating system, or on the compute unit; else as toil
 *                 yield   gives its processor away, again and again; else as toil
 *                 token   gl_compute, where there is such a thing; else as toil
 *   option heed = stop    it ends early once the stop word is set
 *                 nothing it does not
 *   param  pace           turns of the arithmetic in a microsecond, which truth.py measures
 *
 * A kernel that includes this file has these options and this parameter.
 */
#ifndef TRUTH_BUSY_H
#define TRUTH_BUSY_H

#include "group.h"

/* Microseconds of work between two looks at the stop word and at the clock. */
#define BUSY_PART_US 500u

static bool busy_is_stopped(const struct gl_self *self)
{
#if defined(HEED_NOTHING)
    return false;
#else
    return gl_load(self->board + GL_STOP) != 0;
#endif
}

/* --- arithmetic: what it comes to is written down, so that no compiler leaves it out --- */

static uint busy_turns(uint state, uint turns)
{
#if defined(WORK_FLOAT)
    /* The logistic map (May, Nature 1976): it never settles, and no compiler knows where it goes. */
    float x = 0.25f + (float)(state % 1024) / 4096;
    for (uint turn = 0; turn < turns; ++turn)
        x = 3.9f * x * (1 - x);
    return state + (uint)(x * 1024);
#else
    /* A xorshift generator (Marsaglia, Journal of Statistical Software 2003). */
    for (uint turn = 0; turn < turns; ++turn) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
    }
    return state;
#endif
}

static void busy_toil(const struct gl_self *self, global uint *sum, uint us)
{
    uint state = gl_load(self->board + GL_SALT) + self->group + 1;

    for (uint done = 0; done < us && !busy_is_stopped(self); done += BUSY_PART_US)
        state = busy_turns(state, min(us - done, BUSY_PART_US) * gl_own(self, PARAM_PACE));
    *sum = state;
}

/* --- by the clock, where there is one --- */

#if defined(GL_YIELD)
#define BUSY_CLOCK
/* clock_gettime(CLOCK_MONOTONIC) of x86-64 Linux. */
static ulong busy_clock_us(void)
{
    long time[2];
    long call = 228;
    __asm__ volatile("syscall" : "+a"(call) : "D"(1L), "S"(time) : "rcx", "r11", "memory");
    return (ulong)time[0] * 1000000 + (ulong)time[1] / 1000;
}
/* nanosleep of x86-64 Linux. */
static void busy_doze(uint us)
{
    long time[2];
    long call = 35;
    time[0] = us / 1000000;
    time[1] = us % 1000000 * 1000;
    __asm__ volatile("syscall" : "+a"(call) : "D"(time), "S"(0L) : "rcx", "r11", "memory");
}
#elif defined(GL_DIALECT_PTX)
#define BUSY_CLOCK
static ulong busy_clock_us(void)
{
    return gl_clock() / 1000;
}
static void busy_doze(uint us)
{
    for (uint i = 0; i < us; ++i)
        asm volatile("nanosleep.u32 1000;" : : : "memory");
}
#endif

#if defined(BUSY_CLOCK)
static void busy_by_clock(const struct gl_self *self, uint us)
{
    const ulong begin = busy_clock_us();

    while (busy_clock_us() - begin < us && !busy_is_stopped(self)) {
#if defined(WORK_NAP)
        busy_doze(min(us, 20 * BUSY_PART_US));
#else
        gl_yield();
#endif
    }
}
#endif

/* --- what kernels call --- */

/* Lets about `us` microseconds pass; `sum` is a word of the group's, or the work-item's, own. */
static void busy_us(struct gl_self *self, global uint *sum, uint us)
{
#if defined(WORK_TOKEN)
    gl_compute(self, us);
    *sum = us;
#elif (defined(WORK_NAP) || defined(WORK_YIELD)) && defined(BUSY_CLOCK)
    busy_by_clock(self, us);
    *sum = us;
#else
    busy_toil(self, sum, us);
#endif
}

static void busy_ms(struct gl_self *self, global uint *sum, uint ms)
{
    if (ms != 0)
        busy_us(self, sum, ms * 1000);
}

/* The group that stands at `who` % of the ids: 0 is the first one, 100 the last one, 101 each of them. */
static bool busy_is_chosen(const struct gl_self *self, uint who)
{
    return who > 100 || self->group == (self->groups - 1) * who / 100;
}

/* The leader of each group has come to the end: the one check that such a kernel makes. */
static void busy_end(struct gl_self *self)
{
    if (self->leader)
        gl_check(self, self->group, 1, 1, 0);
    gl_leave(self);
}

#endif
