/*
 * Accesses to words that work-groups share, spelled in one of three dialects.
 *
 *   GL_DIALECT_CL30  OpenCL C 3.0 atomics at device scope
 *   GL_DIALECT_CL12  OpenCL C 1.2: volatile accesses, legacy atomics, mem_fence. On many drivers
 *                    mem_fence orders only within a work-group.
 *   GL_DIALECT_PTX   NVIDIA inline assembly at gpu scope
 *
 * All accesses to shared words use these functions. Loads and stores are relaxed; read-modify-writes and gl_fence
 * acquire and release; gl_add_release is for arrivals, after which a group waits, and so acquires, anyway;
 * gl_add_relaxed is for counts that publish nothing, and for seeded faults.
 */
#ifndef GRIDLOCK_SYNC_H
#define GRIDLOCK_SYNC_H

#include "abi.h"

/*
 * Declares a function that uses local memory. One that PoCL 3.1 does not inline gets another copy of a local variable,
 * which all threads of the device share.
 */
#define GL_INLINE static inline __attribute__((always_inline))

/*
 * Declares a function that few turns call. Intel's CPU runtime miscompiles loops into which it is inlined, as
 * gl_rename.
 */
#if defined(GL_DIALECT_PTX) || defined(GL_NO_HINTS)
#define GL_SELDOM static
#else
#define GL_SELDOM static __attribute__((noinline))
#endif

/* Counts a turn of a loop that may turn for ever: where stalls are proved, to 1, so that states come back. */
#if defined(GL_PROVED)
#define GL_TURN(turns) ((turns) | 1)
#else
#define GL_TURN(turns) ((turns) + 1)
#endif

#if defined(GL_NO_HINTS)
#define GL_UNROLL(times)
#else
#define GL_UNROLL(times) __attribute__((opencl_unroll_hint(times)))
#endif

#if defined(GL_DIALECT_CL30)

#define GL_ATOMIC(word) ((volatile global atomic_uint *)(word))

static uint gl_load(global uint *word)
{
    return atomic_load_explicit(GL_ATOMIC(word), memory_order_relaxed, memory_scope_device);
}
static void gl_store(global uint *word, uint value)
{
    atomic_store_explicit(GL_ATOMIC(word), value, memory_order_relaxed, memory_scope_device);
}
static uint gl_add(global uint *word, uint value)
{
    return atomic_fetch_add_explicit(GL_ATOMIC(word), value, memory_order_acq_rel, memory_scope_device);
}
static uint gl_or(global uint *word, uint value)
{
    return atomic_fetch_or_explicit(GL_ATOMIC(word), value, memory_order_acq_rel, memory_scope_device);
}
static uint gl_exchange(global uint *word, uint value)
{
    return atomic_exchange_explicit(GL_ATOMIC(word), value, memory_order_acq_rel, memory_scope_device);
}
/* Stores `value` if the word is `expected`; returns what it was. */
static uint gl_compare_exchange(global uint *word, uint expected, uint value)
{
    atomic_compare_exchange_strong_explicit(GL_ATOMIC(word), &expected, value, memory_order_acq_rel,
                                            memory_order_acquire, memory_scope_device);
    return expected;
}
static uint gl_add_release(global uint *word, uint value)
{
    return atomic_fetch_add_explicit(GL_ATOMIC(word), value, memory_order_release, memory_scope_device);
}
static uint gl_add_relaxed(global uint *word, uint value)
{
    return atomic_fetch_add_explicit(GL_ATOMIC(word), value, memory_order_relaxed, memory_scope_device);
}
static void gl_fence(void)
{
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
}
/* Everybody sees the writes before it before any read after it is made. */
static void gl_fence_total(void)
{
#if defined(__opencl_c_atomic_order_seq_cst)
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
#else
    gl_fence();
#endif
}

#elif defined(GL_DIALECT_CL12)

static uint gl_load(global uint *word)
{
    return *(volatile global uint *)word;
}
static void gl_store(global uint *word, uint value)
{
    *(volatile global uint *)word = value;
}
static uint gl_add(global uint *word, uint value)
{
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    uint old = atomic_add((volatile global uint *)word, value);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    return old;
}
static uint gl_or(global uint *word, uint value)
{
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    uint old = atomic_or((volatile global uint *)word, value);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    return old;
}
static uint gl_exchange(global uint *word, uint value)
{
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    uint old = atomic_xchg((volatile global uint *)word, value);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    return old;
}
static uint gl_compare_exchange(global uint *word, uint expected, uint value)
{
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    uint old = atomic_cmpxchg((volatile global uint *)word, expected, value);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    return old;
}
static uint gl_add_release(global uint *word, uint value)
{
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    return atomic_add((volatile global uint *)word, value);
}
static uint gl_add_relaxed(global uint *word, uint value)
{
    return atomic_add((volatile global uint *)word, value);
}
static void gl_fence(void)
{
    mem_fence(CLK_GLOBAL_MEM_FENCE);
}
static void gl_fence_total(void)
{
    gl_fence();
}

#elif defined(GL_DIALECT_PTX)

static uint gl_load(global uint *word)
{
    uint value;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
    return value;
}
#define GL_LOAD_ACQUIRES /* gl_load_acquire costs less than a load and a fence */
static uint gl_load_acquire(global uint *word)
{
    uint value;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
    return value;
}
static void gl_store(global uint *word, uint value)
{
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" : : "l"(word), "r"(value) : "memory");
}
static uint gl_add(global uint *word, uint value)
{
    uint old;
    asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(word), "r"(value) : "memory");
    return old;
}
static uint gl_or(global uint *word, uint value)
{
    uint old;
    asm volatile("atom.acq_rel.gpu.global.or.b32 %0, [%1], %2;" : "=r"(old) : "l"(word), "r"(value) : "memory");
    return old;
}
static uint gl_exchange(global uint *word, uint value)
{
    uint old;
    asm volatile("atom.acq_rel.gpu.global.exch.b32 %0, [%1], %2;" : "=r"(old) : "l"(word), "r"(value) : "memory");
    return old;
}
static uint gl_compare_exchange(global uint *word, uint expected, uint value)
{
    uint old;
    asm volatile("atom.acq_rel.gpu.global.cas.b32 %0, [%1], %2, %3;"
                 : "=r"(old)
                 : "l"(word), "r"(expected), "r"(value)
                 : "memory");
    return old;
}
static uint gl_add_release(global uint *word, uint value)
{
    uint old;
    asm volatile("atom.release.gpu.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(word), "r"(value) : "memory");
    return old;
}
static uint gl_add_relaxed(global uint *word, uint value)
{
    uint old;
    asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(word), "r"(value) : "memory");
    return old;
}
static void gl_fence(void)
{
    asm volatile("fence.acq_rel.gpu;" : : : "memory");
}
static void gl_fence_total(void)
{
    asm volatile("fence.sc.gpu;" : : : "memory");
}

#else
#error "no dialect: define GL_DIALECT_CL30, GL_DIALECT_CL12 or GL_DIALECT_PTX"
#endif

/*
 * A clock that all groups of a device share. In dialect ptx it counts nanoseconds, in steps of up to a microsecond; the
 * extension does not say how long its ticks are. Without GL_HAS_CLOCK there is no clock.
 */
#if defined(GL_DIALECT_PTX)
#define GL_HAS_CLOCK
static ulong gl_clock(void)
{
    ulong clock;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(clock));
    return clock;
}
#elif defined(cl_khr_kernel_clock) && defined(__opencl_c_kernel_clock_scope_device)
#pragma OPENCL EXTENSION cl_khr_kernel_clock : enable
#define GL_HAS_CLOCK
static ulong gl_clock(void)
{
    return clock_read_device();
}
#endif

/*
 * Gives the processor to another thread: on a CPU a spinning group would burn its whole time slice. PoCL 6.0 dies of
 * inline assembly in a kernel of more than two or three work-items, but not in a function that the kernel calls.
 */
#if defined(GL_YIELD)
GL_SELDOM void gl_yield(void)
{
    long call = 24; /* sched_yield on x86-64 Linux */
    __asm__ volatile("syscall" : "+a"(call) : : "rcx", "r11", "memory");
}
#else
static void gl_yield(void)
{
}
#endif

/* Lets about 100 ns pass, where the dialect can, because polls of many groups delay each other. */
static void gl_pause(void)
{
#if defined(GL_DIALECT_PTX)
    asm volatile("nanosleep.u32 100;" : : : "memory");
#endif
}

/* A reader that sees the value, and fences, sees everything written before. In dialect ptx a fence would cost more. */
static void gl_release(global uint *word, uint value)
{
#if defined(GL_DIALECT_PTX)
    asm volatile("st.release.gpu.global.u32 [%0], %1;" : : "l"(word), "r"(value) : "memory");
#else
    gl_fence();
    gl_store(word, value);
#endif
}
static uint gl_acquire(global uint *word)
{
    uint value = gl_load(word);
    gl_fence();
    return value;
}

#endif
