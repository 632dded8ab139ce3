/*
 * kernel:  two_locks
 * purpose: the first and the last group need two locks each, in the same order, in opposite order, or in a chain
 * needs:   same, chain: a group that holds a lock runs on (OBE); opposite: it never works
 * fails:   opposite: each of the two holds the lock that the other one waits for
 * source:  Coffman, Elphick and Shoshani, ACM Computing Surveys 1971 (circular wait)
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  kind = owner | ticket | named
 * option:  order = same | chain | opposite
 * option:  beside = nobody | queue | computing | holding | stepping | rounds
 * param:   ms = 0 in 0..60000  how long the last group computes between its two locks
 * param:   long = 1000 in 0..60000  how long the groups between them compute
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   7*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * opposite: both have their first lock before they ask for the second one. chain: the last group has lock B alone; the
 * first one holds lock A meanwhile and waits for B. What the groups between them do says option beside: they end;
 * queue for lock A; compute; compute while they hold a third lock; count steps; count rounds.
 */
#include "locks.h"

#define LOCK_A 0u
#define LOCK_B 1u
#define LOCK_C 2u
#define READY (6u * GL_LINE)

/* Both have their first lock. */
static bool both_are_ready(struct gl_self *self, uint other)
{
    const uint ready = gl_sync(self, READY);
    gl_add(self->board + ready, 1);
    return gl_wait(self, ready, 2, other);
}

static void take_two(struct gl_self *self, global uint *sums, uint first, uint second, uint other)
{
    struct lock one = lock_at(self, first);
    struct lock two = lock_at(self, second);

    if (!lock_take(self, &one, 1))
        return;
#if defined(ORDER_OPPOSITE)
    if (self->groups > 1 && !both_are_ready(self, other))
        return;
#endif
    if (self->group != 0)
        busy_ms(self, sums + self->group, gl_own(self, PARAM_MS));
    if (!lock_take(self, &two, 2))
        return;
    lock_drop(self, &two, 1);
    lock_drop(self, &one, 0);
}

/* The last group has lock B, and the first one then waits for it. */
static void take_chained(struct gl_self *self, global uint *sums, uint other)
{
    struct lock b = lock_at(self, LOCK_B);
    struct lock a = lock_at(self, LOCK_A);

    if (self->group == 0) {
        if (lock_take(self, &a, 1) && both_are_ready(self, other) && lock_take(self, &b, 2)) {
            lock_drop(self, &b, 1);
            lock_drop(self, &a, 0);
        }
    } else if (lock_take(self, &b, 1) && both_are_ready(self, other)) {
        busy_ms(self, sums + self->group, gl_own(self, PARAM_MS));
        lock_drop(self, &b, 0);
    }
}

static void play_a_part(struct gl_self *self, global uint *sums)
{
    const uint other = self->groups - 1 - self->group;
#if defined(ORDER_CHAIN)
    if (self->groups > 1)
        take_chained(self, sums, other);
#elif defined(ORDER_OPPOSITE)
    const bool down = self->group != 0;
    take_two(self, sums, down ? LOCK_B : LOCK_A, down ? LOCK_A : LOCK_B, other);
#else
    take_two(self, sums, LOCK_A, LOCK_B, other);
#endif
}

static void stand_beside(struct gl_self *self, global uint *sums)
{
#if !defined(BESIDE_NOBODY) && !defined(BESIDE_QUEUE)
    const uint ms = gl_own(self, PARAM_LONG);
    global uint *sum = sums + self->group;
#endif
#if defined(BESIDE_QUEUE)
    struct lock a = lock_at(self, LOCK_A);
#if !defined(ORDER_SAME)
    if (!gl_wait(self, gl_sync(self, READY), 2, 0))
        return;
#endif
    if (!lock_take(self, &a, 1))
        return;
    lock_drop(self, &a, 0);
#elif defined(BESIDE_COMPUTING)
    busy_ms(self, sum, ms);
#elif defined(BESIDE_HOLDING)
    struct lock c = lock_at(self, LOCK_C);
    if (self->group != 1)
        return;
    if (lock_take(self, &c, 1)) {
        busy_ms(self, sum, ms);
        lock_drop(self, &c, 0);
    }
#elif defined(BESIDE_STEPPING) || defined(BESIDE_ROUNDS)
    for (uint i = 1; i <= ms && !busy_is_stopped(self); ++i) {
        busy_us(self, sum, 1000);
#if defined(BESIDE_ROUNDS)
        gl_round(self, i);
#else
        gl_step(self);
#endif
    }
#endif
}

GL_KERNEL void two_locks(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    gl_gather(&self);
    if (self.leader) {
        if (self.group == 0 || self.group == self.groups - 1)
            play_a_part(&self, sums);
        else
            stand_beside(&self, sums);
    }
    if (!gl_proceed(&self))
        return;
    busy_end(&self);
}
