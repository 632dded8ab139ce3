/*
 * kernel:  token
 * purpose: a token goes round, from group to group, many times in one round
 * needs:   all groups resident together
 * fails:   with a fault the token is lost
 * source:  gridlock
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  word = cyclic | growing
 * option:  named = id | any | all | holder
 * option:  said = no | steps | rounds
 * option:  fault = none | dropped | kept
 * param:   hands = 2000 in 1..100000000  how often it is handed over
 * param:   us = 0 in 0..10000000  how long a group works with it
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * The token is a word: the id of the group whose turn it is (cyclic), or the number of hand-overs (growing). Option
 * said: the groups do not say that they get on, or they count their turns as steps, or as rounds. Faults: in the middle
 * the first group does not hand it on: dropped, and ends; kept, and waits for its next turn.
 */
#include "busy.h"

static bool await_token(struct gl_self *self, uint lap)
{
    const uint token = gl_sync(self, 0);
    uint from = (self->group + self->groups - 1) % self->groups;
#if defined(NAMED_ANY)
    from = GL_GROUP_ANY;
#elif defined(NAMED_ALL)
    from = GL_GROUP_ALL;
#elif defined(NAMED_HOLDER)
    from = GL_GROUP_HOLDER;
#endif
#if defined(WORD_GROWING)
    if (!gl_wait(self, token, lap * self->groups + self->group, from))
        return false;
#else
    if (!gl_wait_until(self, token, GL_UNTIL_EQUAL, self->group, from))
        return false;
#endif
#if defined(NAMED_HOLDER)
    gl_holds(self, 1);
#endif
    return true;
}

static void hand_on(struct gl_self *self, uint lap)
{
#if defined(NAMED_HOLDER)
    gl_holds(self, 0);
#endif
#if defined(WORD_GROWING)
    gl_release(self->board + gl_sync(self, 0), lap * self->groups + self->group + 1);
#else
    gl_release(self->board + gl_sync(self, 0), (self->group + 1) % self->groups);
#endif
}

static void say(struct gl_self *self, uint lap)
{
#if defined(SAID_STEPS)
    gl_step(self);
#elif defined(SAID_ROUNDS)
    gl_round(self, lap + 1);
#endif
}

static void take_turns(struct gl_self *self, global uint *sums, uint laps)
{
    for (uint lap = 0; lap < laps; ++lap) {
        if (!await_token(self, lap))
            return;
        say(self, lap);
        busy_us(self, sums + self->group, gl_own(self, PARAM_US));
#if !defined(FAULT_NONE)
        if (self->group == 0 && lap == laps / 2) {
#if defined(FAULT_KEPT)
            if (self->groups > 1) /* where the word is its id it would find itself */
                gl_wait_until(self, gl_sync(self, 0), GL_UNTIL_EQUAL, self->groups * laps, self->groups - 1);
#endif
            return;
        }
#endif
        hand_on(self, lap);
    }
}

GL_KERNEL void token(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    gl_gather(&self);
    if (self.leader)
        take_turns(&self, sums, max(gl_own(&self, PARAM_HANDS) / self.groups, 1u));
    if (!gl_proceed(&self))
        return;
    busy_end(&self);
}
