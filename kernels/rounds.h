/* Rounds of a global barrier, by which limits are measured. */
#ifndef GRIDLOCK_ROUNDS_H
#define GRIDLOCK_ROUNDS_H

#include "group.h"

/* One round of a central-counter barrier. The counter only grows, so no round can meet another's reset. */
static void gl_barrier_round(struct gl_self *self, uint round)
{
    gl_round(self, round);
    gl_add(self->board + GL_ARRIVALS, 1);
    gl_wait(self, GL_ARRIVALS, round * self->groups, GL_GROUP_ALL);
}

/* A global barrier of all work-items: of each group, then of the leaders, then of each group again. */
static void gl_barriers(struct gl_self *self)
{
    const uint rounds = gl_load(self->board + GL_ROUNDS);
    for (uint round = 1; round <= rounds; ++round) {
        gl_gather(self);
        if (self->leader)
            gl_barrier_round(self, round);
        if (!gl_proceed(self))
            return;
    }
    if (self->leader)
        gl_done(self);
}

#endif
