/*
 * kernel:  spin_late
 * purpose: groups spin on a flag that one late group stores
 * needs:   a place for the late group: fewer waiting groups than are resident, and none before it in its queue
 * fails:   when the waiting groups fill all places the late group cannot start, and all of them wait for it
 * source:  gridlock
 * option:  order = id | start
 * option:  fault = none | no-store
 * param:   waiters = compute-units in 0..1048576  groups that wait: those with a number below this
 * param:   late = groups-1 in 0..1048576  number of the late group; beyond the last group it is the last
 * param:   lot = 0 in 0..1  1: the late group is drawn by the seed, among those that do not wait
 * words:   line
 * names:   flag = 0
 * data:    cells uint local-size zero
 * checks:  min(waiters,groups)*local-size
 *
 * A group's number is its id, or, with order = start, how many groups started before it. Numbered by id, the
 * driver's order of starting decides: a CPU driver may deal out the ids in chunks, and a waiting group then stands
 * in the way of the rest of its chunk, while the late group may be among the first in another one. Numbered by
 * start nothing but the number of places decides, once there are as many waiters as places.
 *
 * If late < waiters the late group does not wait. Groups that neither wait nor store end at once.
 *
 * Fault no-store: the late group ends without a store; who waits then waits for a group that has ended.
 */
#include "group.h"

#define FLAG 0

/* What the late group publishes to the work-items with this local id. */
static uint news(const struct gl_self *self)
{
    return gl_hash(gl_parameter(self->board, GL_SEED) + (uint)get_local_id(0)) | 1;
}

static uint own_number(const struct gl_self *self)
{
#if defined(ORDER_START)
    return gl_load(self->entry + GL_TICKET) - 1;
#else
    return self->group;
#endif
}

static uint late_number(const struct gl_self *self, uint waiters)
{
    const uint last = self->groups - 1;
    if (gl_own(self, PARAM_LOT) != 0 && waiters <= last)
        return waiters + gl_hash(gl_parameter(self->board, GL_SEED)) % (self->groups - waiters);
    return min(gl_own(self, PARAM_LATE), last);
}

static void wait_for_late(struct gl_self *self, uint late)
{
#if defined(ORDER_START)
    const uint group = GL_GROUP_ANY; /* whichever group takes that ticket */
#else
    const uint group = late;
#endif
    gl_wait(self, gl_sync(self, FLAG), 1, group);
}

GL_KERNEL void spin_late(global uint *board, global uint *cells)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint waiters = gl_own(&self, PARAM_WAITERS);
    const uint late = late_number(&self, waiters);
    const uint number = own_number(&self);
    global uint *cell = cells + get_local_id(0);

    if (number == late) {
        gl_delay(&self, 1);
        gl_store(cell, news(&self));
    }
    gl_gather(&self);
    if (self.leader && number == late) {
#if !defined(FAULT_NO_STORE)
        gl_release(board + gl_sync(&self, FLAG), 1);
#endif
    } else if (self.leader && number < waiters) {
        wait_for_late(&self, late);
    }
    if (!gl_proceed(&self))
        return;
    if (number < waiters)
        gl_check(&self, (uint)get_local_id(0), gl_load(cell), news(&self), 0);
    gl_leave(&self);
}
