/*
 * Tasks that groups share out among themselves by stealing. The kernel that includes this file has the deque:
 * a ring of task numbers for each group, with an end for its owner and one for thieves.
 *
 * There are `rounds` root tasks for each group, dealt unevenly: of every four groups the last three have one, the
 * first one has the others. A group puts `batch` of its roots into its deque when that is empty. A root that is done
 * puts `children` more tasks into the deque of the group that did it. Each task has an argument, which is written
 * before the task is put into a deque.
 *
 * With TERMINATION_COUNT a group that finds nothing waits until there may be a new task, or all are done; else
 * it ends as soon as it has found all deques empty.
 */
#ifndef GRIDLOCK_STEAL_TASKS_H
#define GRIDLOCK_STEAL_TASKS_H

#include "publish.h"

/* Words that count: calls to look again (tasks were put into a deque, or all are done), and tasks done. */
#define STEAL_CALLS 0u
#define STEAL_DONE GL_LINE
#define STEAL_DEQUES (2u * GL_LINE)

#define STEAL_NONE 0xffffffffu

struct steal {
    global uint *done; /* of each task: how many work-items did it */
    global uint *arguments;
    global uint *slots; /* of each deque's ring */
    uint batch;
    uint children;
    uint roots;
    uint tasks;
    uint next_root; /* of this group's own: the first one that it has not yet put into its deque */
    uint roots_left;
    uint finished; /* tasks that this group did */
};

/*
 * The deque, of which only leaders call: put a task at the owner's end; take one from there; take one from the
 * other end of a victim's deque. The last two give STEAL_NONE if there is no task. False: a wait did not come true.
 */
static bool deque_put(struct gl_self *self, const struct steal *steal, uint task);
static bool deque_take(struct gl_self *self, const struct steal *steal, uint *task);
static bool deque_steal(struct gl_self *self, const struct steal *steal, uint victim, uint *task);

static void steal_init(struct gl_self *self, struct steal *steal, uint batch, uint children)
{
    const uint rounds = gl_parameter(self->board, GL_ROUNDS);
    const uint place = self->group % 4;
    const uint four = self->group - place;
    const uint poor = min(self->groups - four, 4u) - 1;
    const uint rich = (poor + 1) * rounds - poor;

    steal->batch = batch;
    steal->children = children;
    steal->roots = self->groups * rounds;
    steal->tasks = steal->roots * (1 + children);
    steal->next_root = four * rounds + (place == 0 ? 0 : rich + place - 1);
    steal->roots_left = place == 0 ? rich : 1;
    steal->finished = 0;
}

/* The slot at a place of a group's ring, which holds as many tasks as the group ever has there. */
static global uint *steal_slot(const struct steal *steal, uint group, uint place)
{
    const uint capacity = steal->batch + steal->children;

    return steal->slots + group * capacity + place % capacity;
}

/* Puts tasks first ... first + count - 1 into the group's own deque, and calls others to look. */
static bool steal_put(struct gl_self *self, const struct steal *steal, uint first, uint count)
{
    for (uint task = first; task < first + count; ++task) {
        publish_store(steal->arguments + task, gl_hash(task) | 1);
        if (!deque_put(self, steal, task))
            return false;
    }
    gl_add(self->board + gl_sync(self, STEAL_CALLS), 1);
    return true;
}

/* Takes a task from its own deque, into which it puts more roots as long as there are any. */
static bool steal_own(struct gl_self *self, struct steal *steal, uint *task)
{
    if (!deque_take(self, steal, task))
        return false;
    while (*task == STEAL_NONE && steal->roots_left != 0) {
        const uint first = steal->next_root;
        const uint count = min(steal->roots_left, steal->batch);
        steal->next_root += count;
        steal->roots_left -= count;
        if (!steal_put(self, steal, first, count) || !deque_take(self, steal, task))
            return false;
    }
    return true;
}

/* Looks into its own deque, then into all others. */
static bool steal_search(struct gl_self *self, struct steal *steal, uint *task)
{
    if (!steal_own(self, steal, task))
        return false;
    for (uint i = 1; i < self->groups && *task == STEAL_NONE; ++i)
        if (!deque_steal(self, steal, (self->group + i) % self->groups, task))
            return false;
    return true;
}

/* The next task; STEAL_NONE: there is nothing more to do. The calls are read first, so none is missed. */
static bool steal_next(struct gl_self *self, struct steal *steal, uint *task)
{
#if defined(TERMINATION_COUNT)
    const uint calls = gl_sync(self, STEAL_CALLS);
    uint before;

    do {
        before = gl_acquire(self->board + calls);
        if (!steal_search(self, steal, task))
            return false;
        if (*task != STEAL_NONE || gl_load(self->board + gl_sync(self, STEAL_DONE)) >= steal->tasks)
            return true;
    } while (gl_wait_until(self, calls, GL_UNTIL_DIFFERENT, before, GL_GROUP_ANY));
    return false;
#else
    return steal_search(self, steal, task);
#endif
}

/* After a task: a root has children, and the last task of all calls those that wait for its end. */
static bool steal_finish(struct gl_self *self, struct steal *steal, uint task)
{
    gl_round(self, ++steal->finished);
    if (task < steal->roots && !steal_put(self, steal, steal->roots + task * steal->children, steal->children))
        return false;
    if (gl_add(self->board + gl_sync(self, STEAL_DONE), 1) + 1 == steal->tasks)
        gl_add(self->board + gl_sync(self, STEAL_CALLS), 1);
    return true;
}

/* All work-items do a task. */
static void steal_do(struct gl_self *self, const struct steal *steal, uint task)
{
    gl_check(self, task, publish_load(steal->arguments + task), gl_hash(task) | 1, 0);
    gl_delay(self, task);
    gl_add_relaxed(steal->done + task, 1);
}

/* All work-items, until there is nothing more to do; false: they return. They share the word `next`. */
GL_INLINE bool steal_work(struct gl_self *self, struct steal *steal, local uint *next)
{
    uint found = STEAL_NONE;

    gl_gather(self);
    if (self->leader && steal_next(self, steal, &found))
        *next = found;
    if (!gl_proceed(self))
        return false;
    for (uint task = *next; task != STEAL_NONE; task = *next) {
        steal_do(self, steal, task);
        gl_gather(self);
        if (self->leader && steal_finish(self, steal, task) && steal_next(self, steal, &found))
            *next = found;
        if (!gl_proceed(self))
            return false;
    }
    return true;
}

#endif
