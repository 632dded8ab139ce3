/*
 * kernel:  mixed_circle
 * purpose: each group waits for the next one: for its flag, for its lock, and the last one for all at a barrier
 * needs:   open: all groups resident together; closed: it never works
 * fails:   closed: it is a circle, whatever kinds of waits it is made of
 * source:  gridlock
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  kind = owner | ticket | named
 * option:  flags = some | all
 * option:  end = closed | open
 * param:   who = 0 in 0..100  which group computes before it waits, or goes on, in % of the ids
 * param:   ms = 0 in 0..60000  how long
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   (3*groups+2)*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * Group g waits for group g + 1: if g is even (or flags = all) for a flag that this one sets, else for a lock that this
 * one holds; the last group waits for the second round of a barrier, where only group 0 is missing. end = open: the
 * group that computes then does not wait, and so the others get on one by one.
 */
#include "locks.h"

static uint word_of(const struct gl_self *self, uint i)
{
    return gl_sync(self, self->groups * LOCK_WORDS + i * GL_LINE);
}

static bool waits_for_flag(uint group)
{
#if defined(FLAGS_ALL)
    return true;
#else
    return group % 2 == 0;
#endif
}

static bool meet(struct gl_self *self, uint round, bool waits)
{
    const uint counter = word_of(self, self->groups);
    gl_round(self, round);
    gl_add(self->board + counter, 1);
    return !waits || gl_wait(self, counter, round * self->groups, GL_GROUP_ALL);
}

/* The group waits for the next one. */
static bool await_next(struct gl_self *self, uint held)
{
    const uint group = self->group;

    if (group == self->groups - 1)
        return meet(self, 2, true);
    if (waits_for_flag(group))
        return gl_wait(self, word_of(self, group), 1, group + 1);
    struct lock lock = lock_at(self, group);
    if (!lock_take(self, &lock, held + 1))
        return false;
    lock_drop(self, &lock, held);
    return true;
}

static void take_part(struct gl_self *self, global uint *sum)
{
    const uint group = self->group;
    const uint last = self->groups - 1;
    const bool holds = group > 0 && !waits_for_flag(group - 1);
    const bool chosen = group == last * gl_own(self, PARAM_WHO) / 100;
    struct lock lock = lock_at(self, group > 0 ? group - 1 : 0);

    if ((holds && !lock_take(self, &lock, 1)) || !meet(self, 1, true))
        return;
    if (group != 0 && group != last)
        meet(self, 2, false);
    if (chosen)
        busy_ms(self, sum, gl_own(self, PARAM_MS));
#if defined(END_OPEN)
    if (!chosen && !await_next(self, holds))
        return;
#else
    if (!await_next(self, holds))
        return;
#endif
    if (holds)
        lock_drop(self, &lock, 0);
    else if (group > 0)
        gl_release(self->board + word_of(self, group - 1), 1);
    if (group == 0)
        meet(self, 2, false);
}

GL_KERNEL void mixed_circle(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    gl_gather(&self);
    if (self.leader && self.groups > 1)
        take_part(&self, sums + self.group);
    if (!gl_proceed(&self))
        return;
    busy_end(&self);
}
