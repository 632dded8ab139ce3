/*
 * kernel:  lock_tas
 * purpose: a spin lock by compare-and-exchange on one word, which names its owner
 * needs:   a group that holds the lock runs on (OBE)
 * fails:   if the holder is stopped for good, all others wait for it; without fences the data under the lock are old
 * source:  Rudolph and Segall, ISCA 1984 (test and test-and-set); Anderson, IEEE TPDS 1990 (back-off)
 * option:  test = no | yes
 * option:  backoff = no | yes
 * option:  access = plain | volatile | atomic
 * option:  fault = none | no-fence | early-unlock | wrong-unlock | forgotten-unlock
 * words:   2*line
 * names:   lock = 0
 * names:   groups inside = line
 * data:    cells uint local-size zero
 * checks:  rounds*groups*(local-size+3)
 * result:  each(cells) = rounds*groups
 *
 * test = yes looks at the lock by loads and tries only when it is free; backoff = yes waits longer after each try
 * that failed, up to BACKOFF_MOST turns. The unlock checks that the lock still bears the owner's name.
 *
 * Faults: no-fence unlocks by a relaxed write, so nothing orders the data before it; early-unlock lacks the
 * work-group barrier before the unlock, which then comes before the writes of other work-items; wrong-unlock unlocks
 * a second time, when another group may be inside; with forgotten-unlock the first group inside keeps the lock.
 */
#include "group.h"
#include "lock_guarded.h"
#include "lock_overlap.h"

#if defined(BACKOFF_YES)
#define BACKOFF_MOST 256u
#else
#define BACKOFF_MOST 0u
#endif

/* One try; returns what the lock was: 0 if it is ours now, else its owner's id plus 1. */
static uint lock_try(const struct gl_self *self, uint lock)
{
#if defined(TEST_YES)
    const uint seen = gl_poll(self->board + lock);
    if (seen != 0)
        return seen;
#endif
    return gl_compare_exchange(self->board + lock, 0, self->group + 1);
}

/* Lets `turns` polls pass, which the fuse counts like others. */
static void back_off(struct gl_self *self, struct gl_spin *spin, uint turns)
{
    for (uint turn = 0; turn < turns && spin->stop == 0; ++turn) {
        gl_spin_look(self, spin);
        gl_spin_turn(self);
    }
}

static bool lock_take(struct gl_self *self, uint lock, uint round)
{
    struct gl_spin spin;
    uint turns = min(1u, BACKOFF_MOST);
    uint seen;

    gl_round(self, round);
    gl_spin_begin(self, &spin, lock, GL_UNTIL_EQUAL, 0, GL_GROUP_OWNER);
    do {
        gl_spin_look(self, &spin);
        seen = lock_try(self, lock);
        if (seen != 0)
            back_off(self, &spin, turns);
        turns = min(2 * turns, BACKOFF_MOST);
    } while (gl_spin_goes_on(self, &spin, seen));
    if (!gl_spin_end(self, &spin))
        return false;
    gl_takes(self, lock);
    return true;
}

static void lock_drop(struct gl_self *self, uint lock, uint turn)
{
    const uint name = self->group + 1;

#if defined(FAULT_FORGOTTEN_UNLOCK)
    if (turn == 0) {
        gl_check(self, lock, gl_load(self->board + lock), name, name);
        return;
    }
#endif
    gl_drops(self, lock);
#if defined(FAULT_NO_FENCE)
    gl_check(self, lock, gl_add_relaxed(self->board + lock, 0u - name), name, name);
#else
    gl_check(self, lock, gl_exchange(self->board + lock, 0), name, name);
#endif
#if defined(FAULT_WRONG_UNLOCK)
    /* Best when another group is inside; at the end none comes. */
    for (uint i = 0; i < 64 && gl_load(self->board + lock) == 0; ++i)
        gl_delay(self, turn * 64 + i);
    gl_exchange(self->board + lock, 0);
#endif
}

GL_KERNEL void lock_tas(global uint *board, global uint *cells)
{
    local uint turn;
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint lock = gl_sync(&self, 0);
    const uint guarded = gl_sync(&self, GL_LINE);
    const uint rounds = gl_parameter(board, GL_ROUNDS);
#if defined(FAULT_EARLY_UNLOCK) || defined(FAULT_WRONG_UNLOCK)
    if (!lock_overlap(&self))
        return;
#endif
    for (uint round = 1; round <= rounds; ++round) {
        gl_gather(&self);
        if (self.leader && lock_take(&self, lock, round))
            turn = guarded_enter(&self, guarded);
        if (!gl_proceed(&self))
            return;
        guarded_use(&self, cells + get_local_id(0), turn);
#if !defined(FAULT_EARLY_UNLOCK)
        gl_gather(&self);
#endif
        if (self.leader) {
            guarded_exit(&self, guarded);
            lock_drop(&self, lock, turn);
        }
    }
    gl_leave(&self);
}
