/*
 * Synchronization between work-groups, spelled in one of three dialects, and the one loop that waits.
 *
 *   GL_DIALECT_CL30  OpenCL C 3.0 atomics at device scope
 *   GL_DIALECT_CL12  OpenCL C 1.2: volatile accesses, legacy atomics, mem_fence. On many drivers
 *                    mem_fence orders only within a work-group.
 *   GL_DIALECT_PTX   NVIDIA inline assembly at gpu scope
 *
 * All accesses to shared words go through these functions. Loads and stores are relaxed; a
 * read-modify-write and gl_fence acquire and release.
 */
#ifndef GRIDLOCK_SYNC_H
#define GRIDLOCK_SYNC_H

#include "abi.h"

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
static void gl_fence(void)
{
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
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
static void gl_fence(void)
{
    mem_fence(CLK_GLOBAL_MEM_FENCE);
}

#elif defined(GL_DIALECT_PTX)

static uint gl_load(global uint *word)
{
    uint value;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
    return value;
}
static void gl_store(global uint *word, uint value)
{
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" : : "l"(word), "r"(value) : "memory");
}
static uint gl_add(global uint *word, uint value)
{
    uint old;
    asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(word), "r"(value)
                 : "memory");
    return old;
}
static uint gl_or(global uint *word, uint value)
{
    uint old;
    asm volatile("atom.acq_rel.gpu.global.or.b32 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(word), "r"(value)
                 : "memory");
    return old;
}
static void gl_fence(void)
{
    asm volatile("fence.acq_rel.gpu;" : : : "memory");
}

#else
#error "no dialect: define GL_DIALECT_CL30, GL_DIALECT_CL12 or GL_DIALECT_PTX"
#endif

/* Gives the processor to another thread: on a CPU a spinning group would burn its whole time slice. */
static void gl_yield(void)
{
#if defined(GL_YIELD)
    long call = 24; /* sched_yield on x86-64 Linux */
    __asm__ volatile("syscall" : "+a"(call) : : "rcx", "r11", "memory");
#endif
}

/* The id of this work-group; launches have one dimension and no offset. */
static uint gl_group(void)
{
#if defined(GL_DIALECT_PTX)
    /* The plain register, without what OpenCL adds to it: CUDA can then load the same code. */
    uint group;
    asm volatile("mov.u32 %0, %%ctaid.x;" : "=r"(group));
    return group;
#else
    return (uint)get_group_id(0);
#endif
}

/* The entry of this work-group. */
static global uint *gl_entry(global uint *board)
{
    return board + GL_CONTROL_WORDS + gl_group() * GL_ENTRY_WORDS;
}

/*
 * First act of a group's leader: false, and `late` noted, when the stop word was set before the
 * group started; else the group takes its start ticket.
 */
static bool gl_start(global uint *board, global uint *entry)
{
    if (gl_load(board + GL_STOP) != 0) {
        gl_store(entry + GL_LATE, 1);
        return false;
    }
#if defined(GL_DIALECT_PTX)
    uint unit;
    ulong clock;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(unit));
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(clock));
    gl_store(entry + GL_UNIT, unit + 1);
    gl_store(entry + GL_CLOCK_LOW, (uint)clock);
    gl_store(entry + GL_CLOCK_HIGH, (uint)(clock >> 32));
#endif
    gl_store(entry + GL_TICKET, gl_add(board + GL_STARTED, 1) + 1);
    gl_store(entry + GL_PHASE, GL_PHASE_RUNNING);
    return true;
}

/* Last act of a group's leader when everything that it waited for came true. */
static void gl_done(global uint *entry)
{
    gl_store(entry + GL_PHASE, GL_PHASE_DONE);
}

/* Sum of what changes when any group makes progress; read only when a fuse is about to blow. */
static uint gl_digest(global uint *board)
{
    uint groups = gl_load(board + GL_GROUPS);
    uint sum = gl_load(board + GL_STARTED);
    for (uint group = 0; group < groups; ++group) {
        global uint *entry = board + GL_CONTROL_WORDS + group * GL_ENTRY_WORDS;
        sum = sum * 31 + gl_load(entry + GL_PHASE) + 7 * gl_load(entry + GL_ROUND);
    }
    return sum;
}

/*
 * Waits until the word has reached `value` (words that are waited for only grow; they may wrap), and
 * returns GL_ENDED_HELD; any other return says that it had not, and that the group must leave. The
 * entry says meanwhile what the group waits for, and still says so afterwards if the wait was ended
 * by a fuse or by the stop word.
 *
 * The stop word is read before the word waited for: a full count then proves that all were there
 * even if the stop came, and a group that starts late cannot complete it. A fuse sets the stop
 * word before its group leaves. With GL_LIVE there is neither fuse nor stop word.
 */
static uint gl_wait(global uint *board, global uint *entry, uint word, uint value, uint group)
{
    const uint fuse_total = gl_load(board + GL_FUSE_TOTAL);
    uint polls = gl_load(entry + GL_POLLS);
    uint fuse_idle = gl_load(board + GL_FUSE_IDLE);
    uint ended = GL_ENDED_CUT;
    uint digest = 0;
    uint idle = 0;
    uint last = 0;
    uint seen = 0;

    gl_store(entry + GL_WAIT_WORD, word);
    gl_store(entry + GL_WAIT_VALUE, value);
    gl_store(entry + GL_WAIT_GROUP, group);
    gl_store(entry + GL_PHASE, GL_PHASE_WAITING);
    for (;;) {
#if !defined(GL_LIVE)
        uint stop = gl_load(board + GL_STOP);
#endif
        seen = gl_load(board + word);
        if (seen - value < GL_REACHED) {
            ended = GL_ENDED_HELD;
            break;
        }
        ++polls;
        if (polls % GL_YIELD_POLLS == 0)
            gl_yield();
#if !defined(GL_LIVE)
        if (stop != 0) {
            ended = GL_ENDED_STOP;
            break;
        }
        if (seen != last) {
            last = seen;
            idle = 0;
        }
        if (polls >= fuse_total) {
            ended = GL_ENDED_TOTAL;
            break;
        }
        if (++idle >= fuse_idle) {
            /* The host may have made the fuse longer; another entry may have changed. */
            uint now = gl_digest(board);
            fuse_idle = gl_load(board + GL_FUSE_IDLE);
            if (now != digest) {
                digest = now;
                idle = 0;
            } else if (idle >= fuse_idle) {
                ended = GL_ENDED_IDLE;
                break;
            }
        }
#endif
    }
    gl_fence();
    gl_store(entry + GL_SEEN, seen);
    gl_store(entry + GL_POLLS, polls);
    gl_store(entry + GL_IDLE, idle);
    gl_store(entry + GL_ENDED, ended);
    if (ended == GL_ENDED_HELD)
        gl_store(entry + GL_PHASE, GL_PHASE_RUNNING);
    else if (ended == GL_ENDED_IDLE)
        gl_or(board + GL_STOP, GL_STOP_IDLE);
    else if (ended == GL_ENDED_TOTAL)
        gl_or(board + GL_STOP, GL_STOP_TOTAL);
    else if (ended == GL_ENDED_CUT)
        gl_or(board + GL_STOP, GL_STOP_CUT);
    return ended;
}

#endif
