/*
 * kernel:  late_lock
 * purpose: groups take a lock in turn, and one of them, or each, computes while it holds it
 * needs:   a group that holds the lock runs on (OBE)
 * fails:   with a fault for an unlock that never comes
 * source:  gridlock
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  kind = owner | ticket | named
 * option:  said = yes | no
 * option:  fault = none | kept | twice
 * param:   who = 0 in 0..101  which group computes in its first turn, in % of the ids; 101: each, in each turn
 * param:   ms = 100 in 0..60000  how long
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   3*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * Groups take the lock `rounds` times; said = no: it is all one round. Fault kept: the group that computes keeps the
 * lock and ends; twice: it takes the lock again, which it holds. Others are let in only when that one has the lock.
 */
#include "locks.h"

/* The group with the fault is the first to have the lock. */
static bool let_in(struct gl_self *self, uint culprit, uint turn)
{
#if defined(FAULT_NONE)
    return true;
#else
    const uint open = gl_sync(self, 2 * GL_LINE);
    return turn != 1 || self->group == culprit || gl_wait(self, open, 1, culprit);
#endif
}

static bool take_a_turn(struct gl_self *self, global uint *sums, uint culprit, uint turn)
{
    const uint who = gl_own(self, PARAM_WHO);
    struct lock lock = lock_at(self, 0);

    if (!let_in(self, culprit, turn) || !lock_take(self, &lock, 1))
        return false;
#if !defined(FAULT_NONE)
    if (self->group == culprit)
        gl_release(self->board + gl_sync(self, 2 * GL_LINE), 1);
#endif
    if (who > 100 || (turn == 1 && busy_is_chosen(self, who)))
        busy_ms(self, sums + self->group, gl_own(self, PARAM_MS));
#if defined(FAULT_KEPT)
    if (self->group == culprit)
        return true;
#elif defined(FAULT_TWICE)
    struct lock again = lock;
    if (self->group == culprit && !lock_take(self, &again, 2))
        return false;
#endif
    lock_drop(self, &lock, 0);
    return true;
}

GL_KERNEL void late_lock(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint culprit = (self.groups - 1) * gl_own(&self, PARAM_WHO) / 100;
    uint turns = gl_parameter(board, GL_ROUNDS);
#if defined(FAULT_KEPT)
    turns = 1;
#endif
    for (uint turn = 1; turn <= turns; ++turn) {
#if defined(SAID_YES)
        if (self.leader)
            gl_round(&self, turn);
#endif
        gl_gather(&self);
        if (self.leader)
            take_a_turn(&self, sums, culprit, turn);
        if (!gl_proceed(&self))
            return;
    }
    busy_end(&self);
}
