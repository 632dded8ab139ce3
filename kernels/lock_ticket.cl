/*
 * kernel:  lock_ticket
 * purpose: a ticket lock: groups take numbers, and enter in the order of these
 * needs:   a group that has started runs on (OBE)
 * fails:   if one group in the queue is stopped for good, all behind it wait; who never started is not in the queue
 * source:  Mellor-Crummey and Scott, ACM TOCS 1991, section 2.2
 * option:  access = plain | volatile | atomic
 * option:  fence = both | acquire | release | none
 * words:   3*line
 * names:   next ticket = 0
 * names:   now serving = line
 * names:   groups inside = 2*line
 * data:    cells uint local-size zero
 * checks:  rounds*groups*(local-size+2)
 * result:  each(cells) = rounds*groups
 *
 * Option fence is what the lock orders at device scope. The acquire fence comes after the wait, so that the new holder
 * does not use older data; the release fence comes before the hand-over, so that what the holder wrote is visible to
 * the next one. The work-group's barriers stand between these and the accesses of its work-items in any case.
 */
#include "group.h"
#include "lock_guarded.h"

#define LOCK_NEXT 0u
#define LOCK_NOW GL_LINE
#define LOCK_GUARDED (2u * GL_LINE)

/* Taking a ticket orders nothing. */
static bool lock_take(struct gl_self *self, uint round, uint *ticket)
{
    global uint *next = self->board + gl_sync(self, LOCK_NEXT);
    const uint lock = gl_sync(self, LOCK_NOW);

    gl_round(self, round);
    *ticket = gl_add_relaxed(next, 1);
    if (!gl_wait_lock(self, lock, GL_UNTIL_EQUAL, *ticket, lock))
        return false;
    gl_takes(self, lock);
    return true;
}

/* Only the holder writes the word, so it needs no read-modify-write. */
static void lock_drop(struct gl_self *self, uint ticket)
{
    const uint lock = gl_sync(self, LOCK_NOW);

    gl_drops(self, lock);
#if !defined(FENCE_ACQUIRE) && !defined(FENCE_NONE)
    gl_fence();
#endif
    gl_store(self->board + lock, ticket + 1);
}

GL_KERNEL void lock_ticket(global uint *board, global uint *cells)
{
    local uint turn;
    local uint leaving;
    struct gl_self self;
    uint ticket = 0;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint guarded = gl_sync(&self, LOCK_GUARDED);
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
