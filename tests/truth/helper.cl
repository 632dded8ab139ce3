/*
 * kernel:  helper
 * purpose: a group that waits does tasks of others meanwhile, and one of these is what it waits for
 * needs:   all groups resident together
 * fails:   with a fault the task is done and nobody is told: a circle
 * source:  gridlock
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  parts = one | many
 * option:  fault = none | untold
 * param:   ms = 100 in 0..60000  how long the task takes
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   2*(groups+1)*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * Groups come in pairs; an odd last one ends. The second of a pair waits for the result of a task, the first one for an
 * answer of the second. Each says so, and it is so; but in the loop in which it waits the first one finds the task and
 * does it: at once, or (parts = many) in parts of 50 microseconds, one a turn, each of which it says is a step.
 */
#include "busy.h"

#if defined(PARTS_MANY)
#define PART_US 50u
#else
#define PART_US (gl_own(self, PARAM_MS) * 1000)
#endif

/* A look at what is to be done: a part of the task, if there is one. After the last part the other group is told. */
static void help(struct gl_self *self, global uint *sum, uint task, uint result)
{
    const uint done_us = gl_load(self->board + task);
    if (done_us == 0 || done_us > gl_own(self, PARAM_MS) * 1000)
        return;
    busy_us(self, sum, PART_US);
    gl_store(self->board + task, done_us + PART_US);
#if defined(PARTS_MANY)
    gl_step(self);
#endif
    if (done_us + PART_US <= gl_own(self, PARAM_MS) * 1000)
        return;
#if defined(FAULT_NONE)
    gl_release(self->board + result, 1);
#endif
}

static void wait_and_help(struct gl_self *self, global uint *sum, uint task, uint result)
{
    struct gl_spin spin;

    gl_spin_begin(self, &spin, result, GL_UNTIL_REACHED, 2, self->group + 1);
    do {
        gl_spin_look(self, &spin);
        help(self, sum, task, result);
    } while (gl_spin_goes_on(self, &spin, gl_load(self->board + result)));
    gl_spin_end(self, &spin);
}

static void take_part(struct gl_self *self, global uint *sum)
{
    const uint task = gl_sync(self, self->group / 2 * 4 * GL_LINE);
    const uint result = task + GL_LINE;

    if (self->group % 2 == 0) {
        if (self->group + 1 < self->groups)
            wait_and_help(self, sum, task, result);
        return;
    }
    gl_release(self->board + task, 1);
    if (gl_wait(self, result, 1, self->group - 1))
        gl_release(self->board + result, 2);
}

GL_KERNEL void helper(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    gl_gather(&self);
    if (self.leader)
        take_part(&self, sums + self.group);
    if (!gl_proceed(&self))
        return;
    busy_end(&self);
}
