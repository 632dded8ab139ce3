/*
 * A clock for spans of less than a microsecond, of one compute unit: ticks that count quickly, of a length that is
 * measured beside a slower clock of nanoseconds. Without inline assembly, and where schedules are ours, there is
 * neither, and both are always 0.
 */
#ifndef GRIDLOCK_TICKS_H
#define GRIDLOCK_TICKS_H

#include "sync.h"

#if defined(GL_DIALECT_PTX)
static ulong ticks_now(void)
{
    ulong ticks;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(ticks) : : "memory");
    return ticks;
}
static ulong ticks_ns(void)
{
    return gl_clock();
}
#elif defined(GL_YIELD) && !defined(GL_PROVED) /* x86-64 Linux */
static ulong ticks_now(void)
{
    ulong low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high) : : "memory");
    return high << 32 | low;
}
static ulong ticks_ns(void)
{
    long time[2] = {0, 0};
    long call = 228; /* clock_gettime */
    __asm__ volatile("syscall" : "+a"(call) : "D"(1L), "S"(time) : "rcx", "r11", "memory");
    return (ulong)time[0] * 1000000000 + (ulong)time[1];
}
#else
#define TICKS_NONE
static ulong ticks_now(void)
{
    return 0;
}
static ulong ticks_ns(void)
{
    return 0;
}
#endif

/*
 * Lets so many ticks pass; none where there is no clock. A turn of the loop takes at least one tick, so that it ends.
 */
static void ticks_pass(uint ticks)
{
#if !defined(TICKS_NONE)
    const ulong began = ticks_now();

    for (uint turn = 0; turn < ticks && ticks_now() - began < ticks; ++turn)
        ;
#endif
}

#endif
