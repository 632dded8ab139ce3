/*
 * Kernels in which the leader of each group acts by itself, in `static void act(struct gl_self *, global uint *sum)`.
 */
#ifndef TRUTH_LEADER_H
#define TRUTH_LEADER_H

#include "busy.h"

/* A value that no word has: what a loop with a condition of its own waits for. */
#define NEVER 0xffffffffu

/* Word i, on a line of its own. */
static uint word_at(const struct gl_self *self, uint i)
{
    return gl_sync(self, i * GL_LINE);
}

static void act(struct gl_self *self, global uint *sum);

/* All of a kernel but what its leaders do. */
GL_INLINE void leaders_act(global uint *board, global uint *sums, local uint *leaving)
{
    struct gl_self self;

    if (!gl_enter(&self, board, leaving))
        return;
    gl_gather(&self);
    if (self.leader)
        act(&self, sums + self.group);
    if (!gl_proceed(&self))
        return;
    busy_end(&self);
}

#endif
