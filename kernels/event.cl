/*
 * kernel:  event
 * purpose: one group sets an event, for which all others wait
 * needs:   the setter gets its turn: HSA if it has the lowest id, else all groups resident or fair scheduling
 * fails:   the groups inside wait for the setter, which cannot start before one of them leaves
 * source:  gridlock
 * option:  access = plain | volatile | atomic
 * option:  fault = none | hoisted | early
 * param:   setter = 0 in 0..100  which group sets it, in % of the ids: 0 is the first one, 100 the last one
 * words:   2*line
 * names:   event = 0
 * names:   counter of looks = line
 * data:    cells uint rounds*local-size zero
 * checks:  (groups-1)*rounds*local-size
 *
 * The event is a word that counts the rounds. But for the faults the setter never waits: each round has cells of its
 * own.
 *
 * Fault hoisted: the word is read once, before the loop, as a compiler may do with a plain variable. That it is read
 * too early is made certain: the setter waits until all others have looked. Fault early: the setter sets the event, and
 * writes what it announces when all others have read that.
 */
#include "group.h"
#include "publish.h"

#if defined(FAULT_HOISTED) || defined(FAULT_EARLY)

/* All others have looked, at the word or at the data, in this round. */
static bool all_looked(struct gl_self *self, uint round)
{
    return gl_wait(self, gl_sync(self, GL_LINE), round * (self->groups - 1), GL_GROUP_ALL);
}

static void note_look(struct gl_self *self)
{
    gl_add(self->board + gl_sync(self, GL_LINE), 1);
}

#endif

#if defined(FAULT_HOISTED)

static void await_event(struct gl_self *self, uint event_word, uint round, uint setter)
{
    struct gl_spin spin;
    const uint once = gl_load(self->board + event_word);

    note_look(self);
    gl_spin_begin(self, &spin, event_word, GL_UNTIL_REACHED, round, setter);
    do
        gl_spin_look(self, &spin);
    while (gl_spin_goes_on(self, &spin, once));
    gl_spin_end(self, &spin);
}

#else

static void await_event(struct gl_self *self, uint event_word, uint round, uint setter)
{
    gl_wait(self, event_word, round, setter);
}

#endif

/* The setter sets the event of the round, or another group waits for it. */
static void set_or_await(struct gl_self *self, uint setter, uint round)
{
    const uint event_word = gl_sync(self, 0);

    gl_round(self, round);
    if (self->group != setter) {
        await_event(self, event_word, round, setter);
        return;
    }
#if defined(FAULT_HOISTED)
    if (!all_looked(self, round))
        return;
#endif
    gl_release(self->board + event_word, round);
#if defined(FAULT_EARLY)
    all_looked(self, round);
#endif
}

GL_KERNEL void event(global uint *board, global uint *cells)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint rounds = gl_parameter(board, GL_ROUNDS);
    const uint setter = (self.groups - 1) * gl_own(&self, PARAM_SETTER) / 100;
    const uint item = (uint)get_local_id(0);
    for (uint round = 1; round <= rounds; ++round) {
        global uint *cell = cells + (round - 1) * GL_LOCAL_SIZE + item;
#if !defined(FAULT_EARLY)
        if (self.group == setter) {
            gl_delay(&self, round);
            publish_store(cell, publish_value(item, round));
        }
#endif
        gl_gather(&self);
        if (self.leader)
            set_or_await(&self, setter, round);
        if (!gl_proceed(&self))
            return;
        if (self.group != setter)
            gl_check(&self, item, publish_load(cell), publish_value(item, round), 0);
#if defined(FAULT_EARLY)
        gl_gather(&self);
        if (self.group == setter)
            publish_store(cell, publish_value(item, round));
        else if (self.leader)
            note_look(&self);
#endif
    }
    gl_leave(&self);
}
