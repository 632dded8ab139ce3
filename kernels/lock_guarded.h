/*
 * What a lock guards, and how that shows whether it does.
 *
 * Under the lock every work-item of the group adds 1 to a cell, by a read and a write as option `access` says (see
 * publish.h). Beside the lock two words of the board count: how many groups are inside, and how many critical
 * sections there were before, which is the turn. The cell must hold the turn: a smaller value is an old one, unless two
 * groups were inside together, when it may be a lost update as well and counts as wrong. The two words change by
 * read-modify-writes that order nothing, lest they publish what the lock fails to publish.
 */
#ifndef GRIDLOCK_LOCK_GUARDED_H
#define GRIDLOCK_LOCK_GUARDED_H

#include "publish.h"

#define GUARDED_INSIDE 0u
#define GUARDED_TURNS 1u
#define GUARDED_SHARED 0x80000000u /* in a turn: groups were inside together, in this one or before */

/* First act under the lock, by the one who took it: returns the turn. The two words begin at index `words`. */
static uint guarded_enter(struct gl_self *self, uint words)
{
    const uint others = gl_add_relaxed(self->board + words + GUARDED_INSIDE, 1);

    gl_check(self, words, others, 0, 0);
    if (others != 0)
        gl_or(self->board + words + GUARDED_TURNS, GUARDED_SHARED);
    return gl_add_relaxed(self->board + words + GUARDED_TURNS, 1);
}

static void guarded_use(struct gl_self *self, global uint *cell, uint turn)
{
    const uint wanted = turn & ~GUARDED_SHARED;
    const uint got = publish_load(cell);

    gl_check(self, wanted, got, wanted, got < wanted && turn == wanted ? got : wanted);
    gl_delay(self, turn);
    publish_store(cell, got + 1);
}

/* Last act under the lock. That the count is looked at also makes it change before the lock does. */
static void guarded_exit(struct gl_self *self, uint words)
{
    gl_check(self, words, gl_add_relaxed(self->board + words + GUARDED_INSIDE, 0u - 1u), 1, 1);
}

#endif
