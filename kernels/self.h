/* What a work-group knows about itself, and what it says on the board. */
#ifndef GRIDLOCK_SELF_H
#define GRIDLOCK_SELF_H

#include "sync.h"

struct gl_self {
    global uint *board;
    global uint *entry; /* this group's, on the board */
    uint group;
    uint groups;
    bool leader;         /* work-item 0, which acts for its group */
    bool left;           /* one of its waits failed */
    local uint *leaving; /* not 0 once the whole group must leave; null: see GL_LEAVING; ptx needs neither */
    uint polls;          /* since the fuse was renewed */
    uint renewed;        /* as GL_RENEWED, where every work-item waits */
    uint changes;        /* locks taken or dropped */
    uint progress;
    uint locks; /* that it holds, and the names of some; 0: no name */
    uint names[GL_NAMED_MOST];
    uint waits;  /* that have begun, */
    uint proven; /* and those of them whose condition held */
    uint seen;   /* by the last wait */
    uint checked;
    uint stale;
    uint wrong;
};

/* Word i of those that the groups synchronize by, as an index on the board. */
static uint gl_sync(const struct gl_self *self, uint i)
{
    return GL_SYNC(self->groups) + i;
}

/* Writes a fact about the group to the board. With option `board` = off it does not, to show what that costs. */
static void gl_say(global uint *word, uint value)
{
#if !defined(BOARD_OFF)
    gl_store(word, value);
#endif
}

/* The group has made progress that no round shows. A launch that keeps changing without progress is a livelock. */
static void gl_step(struct gl_self *self)
{
    gl_say(self->entry + GL_PROGRESS, ++self->progress);
}

static void gl_say_steps(const struct gl_self *self)
{
    gl_say(self->entry + GL_STEPS, self->waits * GL_STEP_WAIT | (self->changes & (GL_STEP_WAIT - 1)));
}

/* The group has arrived at this round; rounds count from 1. */
static void gl_round(struct gl_self *self, uint round)
{
    gl_say(self->entry + GL_ROUND, round);
}

/* The group holds so many locks from now on. Locks with names use gl_takes and gl_drops instead. */
static void gl_holds(struct gl_self *self, uint locks)
{
    self->locks = locks;
    self->changes = GL_TURN(self->changes);
    gl_say(self->entry + GL_LOCKS_HELD, locks);
    gl_say_steps(self);
}

static bool gl_rename_at(struct gl_self *self, uint at, uint from, uint to)
{
    const bool found = self->names[at] == from;

    if (found) {
        self->names[at] = to;
        gl_say(self->entry + GL_LOCK_NAMES + at, to);
    }
    return found;
}

/*
 * Replaces the first of GL_NAMED_MOST names that is `from`, if there is one. If this is a loop, Intel's CPU runtime
 * miscompiles it: the kernel returns before its end.
 */
static void gl_rename(struct gl_self *self, uint from, uint to)
{
    if (!gl_rename_at(self, 0, from, to) && !gl_rename_at(self, 1, from, to))
        gl_rename_at(self, 2, from, to);
}

/* The group has taken the lock of this name, which is the index of its word on the board, as gl_sync returns it. */
static void gl_takes(struct gl_self *self, uint lock)
{
    gl_rename(self, 0, lock);
    gl_holds(self, self->locks + 1);
}

/* The group is about to drop it. */
static void gl_drops(struct gl_self *self, uint lock)
{
    gl_rename(self, lock, 0);
    gl_holds(self, self->locks - 1);
}

#endif
