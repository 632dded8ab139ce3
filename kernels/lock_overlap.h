/*
 * For faults that are races: they show only if two groups run at the same time. A short kernel of two groups may well
 * run them one after the other, because the second thread of a CPU wakes up late. So the kernel of a fault first waits
 * until a second group has started.
 */
#ifndef GRIDLOCK_LOCK_OVERLAP_H
#define GRIDLOCK_LOCK_OVERLAP_H

#include "group.h"

/* All work-items call it; false: they return. */
GL_INLINE bool lock_overlap(struct gl_self *self)
{
    gl_gather(self);
    if (self->leader)
        gl_wait(self, GL_STARTED, min(self->groups, 2u), GL_GROUP_ANY);
    return gl_proceed(self);
}

#endif
