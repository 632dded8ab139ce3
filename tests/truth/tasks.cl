/*
 * kernel:  tasks
 * purpose: groups that take tasks from each other, and end when all are done
 * needs:   a group that has a task runs on (OBE)
 * fails:   with a fault one ends with a task
 * source:  Dijkstra, Feijen and van Gasteren, IPL 1983 (termination)
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  fault = none | lost
 * param:   ms = 50 in 0..60000  how long a group computes
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   (groups+4)*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * Each group begins with two tasks, and then takes what others have left; tasks that are done are counted. Fault lost:
 * group 0 takes one of its own, lets the others begin, and ends.
 */
#include "leader.h"

#define DONE word_at(self, 0)
#define BEGUN word_at(self, 1)
#define TAKEN(group) word_at(self, 2 + (group))
#define TASKS 2u

static void act(struct gl_self *self, global uint *sum)
{
    const bool loses = self->group == 0 && self->groups > 1;

#if defined(FAULT_LOST)
    if (self->group != 0 && !gl_wait(self, BEGUN, 1, 0))
        return;
#endif
    for (uint i = 0; i < self->groups; ++i) {
        const uint group = (self->group + i) % self->groups;
        while (gl_add(self->board + TAKEN(group), 1) < TASKS) {
#if defined(FAULT_LOST)
            if (loses) {
                gl_release(self->board + BEGUN, 1);
                return;
            }
#endif
            busy_ms(self, sum, gl_own(self, PARAM_MS));
            gl_step(self);
            gl_add(self->board + DONE, 1);
        }
    }
    gl_wait(self, DONE, TASKS * self->groups, GL_GROUP_ANY);
}

GL_KERNEL void tasks(global uint *board, global uint *sums)
{
    local uint leaving;

    leaders_act(board, sums, &leaving);
}
