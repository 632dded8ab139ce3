/*
 * The life of a work-group: it starts, and notes so on the board; a census may count it; its work-items act together;
 * what they read from other groups is checked; it ends.
 *
 * A kernel looks like this. Between gl_gather and gl_proceed the leader acts for its group; it waits for other groups
 * only there.
 *
 *     kernel void name(global uint *board, ...)
 *     {
 *         local uint leaving;
 *         struct gl_self self;
 *         if (!gl_enter(&self, board, &leaving))
 *             return;
 *         ...
 *         gl_gather(&self);
 *         if (self.leader)
 *             gl_wait(&self, ...);
 *         if (!gl_proceed(&self))
 *             return;
 *         ...
 *         gl_leave(&self);
 *     }
 */
#ifndef GRIDLOCK_GROUP_H
#define GRIDLOCK_GROUP_H

#include "wait.h"

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

/* This work-item is the first of its group; groups have one dimension unless GL_SHAPED is defined. */
static bool gl_is_first(void)
{
#if defined(GL_SHAPED)
    return (get_local_id(0) | get_local_id(1) | get_local_id(2)) == 0;
#else
    return get_local_id(0) == 0;
#endif
}

/*
 * A parameter of the launch. It is read as ordinary memory, because only the host writes it, before the launch: all
 * parameters are in one cache line, which the compute unit then holds.
 */
static uint gl_parameter(global const uint *board, uint index)
{
    return board[index];
}

/* The kernel's own parameter `index`, in the order of its header. */
static uint gl_own(const struct gl_self *self, uint index)
{
    return gl_parameter(self->board, GL_OWN + index);
}

/* Scatters the bits of x; the same x gives the same word on every device. */
static uint gl_hash(uint x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    return x;
}

/* Lets time pass, by the launch's parameters: at random, and longer in groups with a higher id modulo 8. */
static void gl_delay(struct gl_self *self, uint round)
{
    const uint most = gl_parameter(self->board, GL_JITTER);
    uint polls = gl_parameter(self->board, GL_UNEVEN) * (self->group % 8);
    if (most != 0)
        polls += gl_hash(gl_parameter(self->board, GL_SEED) + self->group * 0x9e3779b9u + round) % (most + 1);
#if defined(GL_LOOPS_CUT)
    polls = min(polls, 8u); /* where the turns of all loops are counted, those that matter must not run out of them */
#endif
    for (uint i = 0; i < polls && gl_load(self->board + GL_STOP) == 0; ++i)
        if (i % GL_YIELD_POLLS == GL_YIELD_POLLS - 1)
            gl_yield();
}

/*
 * Computes for about that long without waiting for anybody; shorter if the stop word is set. On a CPU, and on a GPU
 * without a clock, the time depends on how long polls took when they were timed, on the idle device.
 */
static void gl_compute(const struct gl_self *self, uint about_us)
{
    global uint *stop = self->board + GL_STOP;
#if defined(GL_DIALECT_PTX)
    const ulong until = gl_clock() + (ulong)about_us * 1000;
    while (gl_clock() < until && gl_load(stop) == 0)
        ;
#else
    ulong polls = (ulong)about_us * gl_parameter(self->board, GL_POLLS_A_MS) / 1000;
#if defined(GL_LOOPS_CUT)
    polls = min(polls, (ulong)8);
#endif
    for (ulong i = 0; i < polls && gl_load(stop) == 0; ++i)
        ;
#endif
}

/* --- start --- */

/*
 * First act of a group's leader, which takes the group's start ticket. If the stop word was set before the group
 * started, it notes `late` instead and returns false.
 */
static bool gl_start(struct gl_self *self)
{
    global uint *entry = self->entry;

    if (gl_load(self->board + GL_STOP) != 0) {
        gl_store(entry + GL_LATE, 1);
        return false;
    }
#if defined(GL_DIALECT_PTX)
    uint unit;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(unit));
    gl_store(entry + GL_UNIT, unit + 1);
#endif
#if defined(GL_HAS_CLOCK)
    const ulong clock = gl_clock();
    gl_store(entry + GL_CLOCK_LOW, (uint)clock);
    gl_store(entry + GL_CLOCK_HIGH, (uint)(clock >> 32));
#endif
    gl_store(entry + GL_TICKET, gl_add_relaxed(self->board + GL_STARTED, 1) + 1); /* it publishes nothing */
    gl_store(entry + GL_PHASE, GL_PHASE_RUNNING);
    return true;
}

/*
 * Field by field: from a struct's initial values NVIDIA's compiler makes a copy, and barriers with 1024 work-items then
 * spill registers.
 */
static void gl_self_init(struct gl_self *self, global uint *board)
{
    self->board = board;
    self->group = gl_group();
    self->groups = gl_parameter(board, GL_GROUPS);
    self->entry = board + GL_CONTROL_WORDS + self->group * GL_ENTRY_WORDS;
    self->leader = gl_is_first();
    self->left = false;
    self->leaving = 0;
    self->polls = 0;
    self->renewed = 0;
    self->changes = 0;
    self->progress = 0;
    self->locks = 0;
    for (uint i = 0; i < GL_NAMED_MOST; ++i)
        self->names[i] = 0;
    self->waits = 0;
    self->proven = 0;
    self->seen = 0;
    self->checked = 0;
    self->stale = 0;
    self->wrong = 0;
}

/* The leader's last act, once everything that its group waited for has become true. */
static void gl_done(const struct gl_self *self)
{
    if (self->waits != 0)
        gl_note_waits(self, GL_ENDED_HELD);
    gl_note_end(self);
    gl_store(self->entry + GL_PHASE, GL_PHASE_DONE);
}

/* --- census --- */

/*
 * Counts the groups that are resident together; the leader calls it. One word holds the arrivals and whether the census
 * is closed. A group counts only if its own increment found the word open, and it stays until it has seen the word
 * closed: all counted groups are resident together. The first group that sees the host ask for it closes the word, or,
 * without a channel, the first that polled GL_CLOSE_POLLS times without an arrival; so do a fuse and the stop word.
 */
static void gl_census(struct gl_self *self)
{
    global uint *board = self->board;
    global uint *entry = self->entry;
    const uint close_polls = gl_parameter(board, GL_CLOSE_POLLS);
    const uint fuse_total = gl_parameter(board, GL_FUSE_TOTAL);
    uint ended = GL_ENDED_CUT;
    uint polls = 0;
    uint idle = 0;
    uint last = 0;
    uint seen = 0;

    if (gl_add(board + GL_CENSUS, 1) & GL_CLOSED) {
        gl_done(self);
        return;
    }
    gl_store(entry + GL_WAIT_WORD, GL_CENSUS);
    gl_store(entry + GL_WAIT_VALUE, GL_CLOSED);
    gl_store(entry + GL_WAIT_GROUP, GL_GROUP_HOST);
    gl_store(entry + GL_PHASE, GL_PHASE_WAITING);
    for (;;) {
        seen = gl_load(board + GL_CENSUS);
        if (seen & GL_CLOSED) {
            ended = GL_ENDED_HELD;
            break;
        }
        polls = GL_TURN(polls);
        if (polls % GL_YIELD_POLLS == 0)
            gl_yield();
        idle = seen != last ? 0 : GL_TURN(idle);
        last = seen;
        if (gl_load(board + GL_CLOSE) != 0 || gl_load(board + GL_STOP) != 0 ||
            (close_polls != 0 && idle >= close_polls) || polls >= fuse_total)
            gl_or(board + GL_CENSUS, GL_CLOSED);
    }
    gl_fence();
    gl_store(entry + GL_SEEN, seen);
    gl_store(entry + GL_POLLS, polls);
    gl_store(entry + GL_IDLE, idle);
    gl_store(entry + GL_ENDED, ended);
    gl_store(entry + GL_COUNTED, ended == GL_ENDED_HELD);
    gl_done(self);
}

/* --- acting together --- */

/* All work-items of the group are here, and their writes are done: the leader may tell other groups. */
static void gl_gather(const struct gl_self *self)
{
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
}

/*
 * The leader is done. False, for all work-items: a condition that it waited for did not become true; return.
 * Local memory is written here and not where the wait failed, so that only a function with a barrier must be inlined.
 */
GL_INLINE bool gl_proceed(struct gl_self *self)
{
#if defined(GL_DIALECT_PTX)
    /* The barrier itself tells whether any of its work-items left. */
    uint leaves;
    asm volatile(
        "{\n\t.reg .pred gl_mine, gl_any;\n\tsetp.ne.u32 gl_mine, %1, 0;\n\tbar.red.or.pred gl_any, 0, gl_mine;\n\t"
        "selp.u32 %0, 1, 0, gl_any;\n\t}"
        : "=r"(leaves)
        : "r"((uint)self->left)
        : "memory");
    if (leaves != 0)
        return false;
    self->left = false; /* which the compiler cannot know: between here and the next wait it takes no register */
    return true;
#else
    if (self->left && self->leaving != 0)
        *self->leaving = 1;
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    return (self->leaving != 0 ? *self->leaving : gl_load(self->entry + GL_LEAVING)) == 0;
#endif
}

/*
 * Begins a kernel; all work-items call it. False: there is nothing to do (the group came late, or was counted by a
 * census), and the kernel returns. By `leaving`, a word of local memory, the group learns that it must leave; null
 * saves local memory, and costs a read of the board in each gl_proceed. On a CPU it makes no difference.
 */
GL_INLINE bool gl_enter(struct gl_self *self, global uint *board, local uint *leaving)
{
    gl_self_init(self, board);
#if defined(GL_CPU)
    leaving = 0; /* the board is no slower there, and Intel's runtime loses what is written to the word */
#endif
    self->leaving = leaving;
    if (leaving != 0 && self->leader)
        *leaving = 0;
    const bool census = gl_parameter(board, GL_MODE) == GL_MODE_CENSUS;
    if (self->leader) {
        if (!gl_start(self)) {
            self->left = true;
            gl_store(self->entry + GL_LEAVING, 1);
        } else if (census)
            gl_census(self);
    }
    /* The whole group keeps its place until its leader was counted. */
    return gl_proceed(self) && !census;
}

/* --- checks --- */

/* `got` was read from a word that another group wrote in this round. It should be `wanted`; before, it was `old`. */
static void gl_check(struct gl_self *self, uint at, uint got, uint wanted, uint old)
{
    self->checked += 1;
    if (got == wanted)
        return;
    if (got == old)
        self->stale += 1;
    else
        self->wrong += 1;
    gl_store(self->entry + GL_BAD_AT, at);
    gl_store(self->entry + GL_BAD_WANTED, wanted);
    gl_store(self->entry + GL_BAD_GOT, got);
}

static void gl_note_checks(const struct gl_self *self)
{
    if (self->checked != 0)
        gl_add_relaxed(self->entry + GL_CHECKED, self->checked);
    if (self->stale != 0)
        gl_add_relaxed(self->entry + GL_STALE, self->stale);
    if (self->wrong != 0)
        gl_add_relaxed(self->entry + GL_WRONG, self->wrong);
}

/* Ends a kernel; all work-items call it, unless gl_proceed told them to return. */
static void gl_leave(struct gl_self *self)
{
    gl_note_checks(self);
    gl_gather(self);
    if (self->leader)
        gl_done(self);
}

/* --- kernels that are launched over a range --- */

/*
 * Begins a kernel that has a `range`; all work-items call it. Such a kernel is run for its time and its results: none
 * of its groups waits, and only the first has an entry on the board. Its first work-item notes there how the driver
 * divided the range, which is what was asked for unless it was left to the driver.
 */
#if defined(GL_DIMENSIONS)
static void gl_enter_range(global uint *board)
{
    struct gl_self self;

    if (get_global_id(0) != 0 || get_global_id(1) != 0 || get_global_id(2) != 0)
        return;
    gl_self_init(&self, board);
    if (!gl_start(&self))
        return;
    const uint asked[3] = {GL_LOCAL_X, GL_LOCAL_Y, GL_LOCAL_Z};
    uint groups = 1;
    for (uint i = 0; i < 3; ++i) {
        const uint size = (uint)get_local_size(i);
        const uint most = (uint)get_global_size(i);
        gl_store(self.entry + GL_SHAPE + i, size);
        groups *= (uint)get_num_groups(i);
        gl_check(&self, i, size, asked[i] == 0 ? size : min(asked[i], most), 0);
    }
    gl_store(self.entry + GL_LAUNCHED, groups);
    gl_note_checks(&self);
    gl_done(&self);
}
#endif

/* Declares a scenario's kernel, which is built for one size of work-group. */
#if defined(GL_REGISTERS)
#define GL_KERNEL kernel /* NVIDIA's compiler heeds a bound on registers only where no size is required */
#else
#define GL_KERNEL kernel __attribute__((reqd_work_group_size(GL_LOCAL_SIZE, 1, 1)))
#endif

#endif
