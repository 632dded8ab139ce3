/*
 * kernel:  item_locks
 * purpose: each work-item takes a lock for itself, and one of them computes while it holds it
 * needs:   work-items that make progress by themselves, and OBE
 * fails:   with a fault for an unlock that never comes
 * source:  gridlock
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  fault = none | kept
 * param:   who = 0 in 0..100  which group computes, in % of the ids
 * param:   item = 0 in 0..100  which of its work-items, in %
 * param:   ms = 100 in 0..60000  how long
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   line
 * data:    sums uint groups*local-size zero
 * checks:  groups*local-size
 *
 * Fault kept: the work-item that computes is the last of its group to have the lock, and keeps it. The other groups
 * begin only then: otherwise all of them might have had the lock before, and nobody would wait.
 */
#define GL_EVERY_ITEM
#include "busy.h"

static void inside(struct gl_self *self, global uint *sum, uint lock, bool chosen)
{
    gl_holds(self, 1);
    if (chosen)
        busy_ms(self, sum, gl_own(self, PARAM_MS));
#if defined(FAULT_KEPT)
    if (chosen) {
        gl_store(self->board + lock + 1, 1);
        return;
    }
#endif
    gl_holds(self, 0);
    gl_release(self->board + lock, 0);
}

GL_KERNEL void item_locks(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;
    struct gl_spin spin;
    uint seen;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint lock = gl_sync(&self, 0);
    const uint item = (uint)get_local_id(0);
    const bool its_group = busy_is_chosen(&self, gl_own(&self, PARAM_WHO));
    const bool chosen = its_group && item == (GL_LOCAL_SIZE - 1) * gl_own(&self, PARAM_ITEM) / 100;
    gl_gather(&self);
#if defined(FAULT_KEPT)
    while (!its_group && gl_load(board + lock + 1) == 0 && gl_load(board + GL_STOP) == 0)
        ;
#endif
    gl_spin_begin(&self, &spin, lock, GL_UNTIL_EQUAL, 0, GL_GROUP_OWNER);
    do {
        gl_spin_look(&self, &spin);
        seen = gl_compare_exchange(board + lock, 0, self.group + 1);
        if (seen == 0)
            inside(&self, sums + self.group * GL_LOCAL_SIZE + item, lock, chosen);
    } while (gl_spin_goes_on(&self, &spin, seen));
    gl_spin_end(&self, &spin);
    if (!gl_proceed(&self))
        return;
    gl_check(&self, item, 1, 1, 0);
    gl_leave(&self);
}
