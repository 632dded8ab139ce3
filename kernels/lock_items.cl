/*
 * kernel:  lock_items
 * purpose: a spin lock that every work-item takes for itself, in divergent control flow
 * needs:   work-items of a sub-group that make progress by themselves (independent thread scheduling), and OBE
 * fails:   in lock-step the spinning work-items wait for the holder of the lock, which waits for them behind the loop
 * source:  ElTantawy and Aamodt, MICRO 2016 (SIMT deadlock)
 * option:  form = loop-exit | inside | in-turn
 * option:  access = plain | volatile | atomic
 * param:   sharing = 2 in 1..1048576  groups that share a lock
 * words:   ceil(groups,sharing)*line
 * names:   lock {i} = i*line, i < ceil(groups,sharing)
 * data:    cells uint ceil(groups,sharing) zero
 * checks:  rounds*groups*local-size*3
 * result:  reduce(cells) = rounds*groups*local-size
 *
 * The naive form, `loop-exit`, spins until it has the lock, and has its critical section behind the loop. Two forms
 * work in lock-step: `inside` has it inside, so that the holder is through before the work-items of its sub-group take
 * their next turn; and `in-turn` has one work-item after the other take the lock in the naive way, so that none of its
 * sub-group spins beside the holder.
 */
#define GL_EVERY_ITEM
#include "group.h"
#include "lock_guarded.h"

static void critical_section(struct gl_self *self, uint lock, global uint *cell)
{
    gl_holds(self, 1);
    const uint turn = guarded_enter(self, lock + 1);
    guarded_use(self, cell, turn);
    guarded_exit(self, lock + 1);
    gl_holds(self, 0);
    gl_release(self->board + lock, 0);
}

/* One try; returns what the lock was: 0 if it is ours now. A look first: a sub-group's tries are serial. */
static uint lock_try(const struct gl_self *self, uint lock)
{
    const uint seen = gl_poll(self->board + lock);
    return seen != 0 ? seen : gl_compare_exchange(self->board + lock, 0, self->group + 1);
}

#if defined(FORM_INSIDE)

static void take_and_use(struct gl_self *self, uint lock, global uint *cell)
{
    struct gl_spin spin;
    uint seen;

    gl_spin_begin(self, &spin, lock, GL_UNTIL_EQUAL, 0, GL_GROUP_OWNER);
    do {
        gl_spin_look(self, &spin);
        seen = lock_try(self, lock);
        if (seen == 0)
            critical_section(self, lock, cell);
    } while (gl_spin_goes_on(self, &spin, seen));
    gl_spin_end(self, &spin);
}

#else

static void take_then_use(struct gl_self *self, uint lock, global uint *cell)
{
    struct gl_spin spin;

    gl_spin_begin(self, &spin, lock, GL_UNTIL_EQUAL, 0, GL_GROUP_OWNER);
    do
        gl_spin_look(self, &spin);
    while (gl_spin_goes_on(self, &spin, lock_try(self, lock)));
    if (gl_spin_end(self, &spin))
        critical_section(self, lock, cell);
}

static void take_and_use(struct gl_self *self, uint lock, global uint *cell)
{
#if defined(FORM_IN_TURN)
    for (uint item = 0; item < GL_LOCAL_SIZE; ++item)
        if (item == get_local_id(0))
#endif
            take_then_use(self, lock, cell);
}

#endif

GL_KERNEL void lock_items(global uint *board, global uint *cells)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint shared = self.group / gl_own(&self, PARAM_SHARING);
    const uint rounds = gl_parameter(board, GL_ROUNDS);
    for (uint round = 1; round <= rounds; ++round) {
        gl_round(&self, round);
        gl_gather(&self);
        take_and_use(&self, gl_sync(&self, shared * GL_LINE), cells + shared);
        if (!gl_proceed(&self))
            return;
    }
    gl_leave(&self);
}
