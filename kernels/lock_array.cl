/*
 * kernel:  lock_array
 * purpose: an array lock: a queue in which each group polls a slot of its own
 * needs:   a group that has started runs on (OBE)
 * fails:   if one group in the queue is stopped for good, all behind it wait; who never started is not in the queue
 * source:  Anderson, IEEE TPDS 1990
 * option:  access = plain | volatile | atomic
 * words:   (groups+2)*line
 * names:   slot {i} = i*line, i < groups
 * names:   next ticket = groups*line
 * names:   groups inside = (groups+1)*line
 * data:    cells uint local-size zero
 * checks:  rounds*groups*(local-size+2)
 * result:  each(cells) = rounds*groups
 *
 * There is a slot for each group, so the ring never overflows. A slot is not reset but counts how often the
 * lock was handed to it: ticket t, which waits on slot t modulo groups, needs t / groups, rounded up. That is 0 for
 * ticket 0, so the lock is free at first.
 */
#include "group.h"
#include "lock_guarded.h"

static uint lock_slot(const struct gl_self *self, uint ticket)
{
    return gl_sync(self, (ticket % self->groups) * GL_LINE);
}

/* How often the slot of a ticket was given the lock once this ticket has it. */
static uint lock_grants(const struct gl_self *self, uint ticket)
{
    return (ticket + self->groups - 1) / self->groups;
}

/* The lock goes by the word that counts its tickets. */
static uint lock_name(const struct gl_self *self)
{
    return gl_sync(self, self->groups * GL_LINE);
}

static bool lock_take(struct gl_self *self, uint round, uint *ticket)
{
    gl_round(self, round);
    *ticket = gl_add(self->board + lock_name(self), 1);
    if (!gl_wait_lock(self, lock_slot(self, *ticket), GL_UNTIL_REACHED, lock_grants(self, *ticket), lock_name(self)))
        return false;
    gl_takes(self, lock_name(self));
    return true;
}

static void lock_drop(struct gl_self *self, uint ticket)
{
    gl_drops(self, lock_name(self));
    gl_release(self->board + lock_slot(self, ticket + 1), lock_grants(self, ticket + 1));
}

GL_KERNEL void lock_array(global uint *board, global uint *cells)
{
    local uint turn;
    local uint leaving;
    struct gl_self self;
    uint ticket = 0;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint guarded = gl_sync(&self, (self.groups + 1) * GL_LINE);
    const uint rounds = gl_parameter(board, GL_ROUNDS);
    for (uint round = 1; round <= rounds; ++round) {
        gl_gather(&self);
        if (self.leader && lock_take(&self, round, &ticket))
            turn = guarded_enter(&self, guarded);
        if (!gl_proceed(&self))
            return;
        guarded_use(&self, cells + get_local_id(0), turn);
        gl_gather(&self);
        if (self.leader) {
            guarded_exit(&self, guarded);
            lock_drop(&self, ticket);
        }
    }
    gl_leave(&self);
}
