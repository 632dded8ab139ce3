/*
 * kernel:  late_event
 * purpose: one group computes, and then sets an event for which the others wait
 * needs:   the group that sets it gets its turn
 * fails:   with a fault the event does not come, or comes with another value
 * source:  gridlock
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  named = id | any | all
 * option:  kind = reached | equal | different
 * option:  fault = none | no-signal | beyond | waits
 * option:  beside = nobody | computing | stepping | rounds
 * param:   who = 0 in 0..100  which group sets it, in % of the ids
 * param:   ms = 100 in 0..60000  how long it computes before
 * param:   long = 1000 in 0..60000  how long another one computes that has no part in it
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   2*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * The others say that they wait for that group, for any, or for all. With three groups and more, the one behind it may
 * be `beside`: for the time `long` it computes, counts its steps, or its rounds, and ends.
 *
 * Faults: no-signal: it computes and ends; beyond: it sets the event to another value than the others wait for, and
 * ends; waits: it waits itself, for one of those that wait for it.
 */
#include "busy.h"

#if defined(KIND_EQUAL)
#define KIND GL_UNTIL_EQUAL
#define WANTED 7u
#define BEYOND 8u
#elif defined(KIND_DIFFERENT)
#define KIND GL_UNTIL_DIFFERENT
#define WANTED 0u
#define BEYOND 0u
#else
#define KIND GL_UNTIL_REACHED
#define WANTED 7u
#define BEYOND 6u
#endif

static void await_event(struct gl_self *self, uint setter)
{
#if defined(NAMED_ANY)
    setter = GL_GROUP_ANY;
#elif defined(NAMED_ALL)
    gl_round(self, 1);
    setter = GL_GROUP_ALL;
#endif
    gl_wait_until(self, gl_sync(self, 0), KIND, WANTED, setter);
}

static void set_event(struct gl_self *self, global uint *sums)
{
    global uint *event_word = self->board + gl_sync(self, 0);

    busy_ms(self, sums + self->group, gl_own(self, PARAM_MS));
#if defined(FAULT_NONE)
    gl_release(event_word, 7);
#elif defined(FAULT_BEYOND)
    gl_release(event_word, BEYOND);
#elif defined(FAULT_WAITS)
    const uint other = self->group == 0 ? self->groups - 1 : 0;
    if (self->groups > 1)
#if defined(NAMED_ANY)
        gl_wait(self, gl_sync(self, GL_LINE), 1, GL_GROUP_ANY);
#else
        gl_wait(self, gl_sync(self, GL_LINE), 1, other);
#endif
#endif
}

static void stand_beside(struct gl_self *self, global uint *sums)
{
    const uint ms = gl_own(self, PARAM_LONG);
#if defined(BESIDE_STEPPING) || defined(BESIDE_ROUNDS)
    for (uint i = 1; i <= ms && !busy_is_stopped(self); ++i) {
        busy_us(self, sums + self->group, 1000);
#if defined(BESIDE_ROUNDS)
        gl_round(self, i);
#else
        gl_step(self);
#endif
    }
#else
    busy_ms(self, sums + self->group, ms);
#endif
}

static bool is_beside(const struct gl_self *self, uint setter)
{
#if defined(BESIDE_NOBODY)
    return false;
#else
    return self->groups > 2 && self->group == (setter + 1) % self->groups;
#endif
}

GL_KERNEL void late_event(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint setter = (self.groups - 1) * gl_own(&self, PARAM_WHO) / 100;
    gl_gather(&self);
    if (self.leader) {
        if (self.group == setter)
            set_event(&self, sums);
        else if (is_beside(&self, setter))
            stand_beside(&self, sums);
        else
            await_event(&self, setter);
    }
    if (!gl_proceed(&self))
        return;
    busy_end(&self);
}
