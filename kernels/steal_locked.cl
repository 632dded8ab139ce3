/*
 * kernel:  steal_locked
 * purpose: work stealing from deques that are each under a lock
 * needs:   a group that holds a lock runs on (OBE); termination = count: all groups resident, or fair scheduling
 * fails:   with termination = count the groups inside wait for the tasks of groups that cannot start before one leaves
 * source:  gridlock
 * option:  termination = empty | count
 * option:  access = plain | volatile | atomic
 * param:   batch = 2 in 1..65536  root tasks that a group puts into its deque at a time
 * param:   children = 2 in 0..64  tasks that each root task makes
 * words:   (groups+2)*line
 * names:   call counter = 0
 * names:   tasks done = line
 * names:   lock of deque {i} = (2+i)*line, i < groups
 * data:    done uint groups*rounds*(1+children) zero
 * data:    arguments uint groups*rounds*(1+children) zero
 * data:    slots uint groups*(batch+children) zero
 * checks:  groups*rounds*(1+children)*local-size
 * result:  each(done) = local-size
 *
 * Owners put and take at the tail, thieves take at the head. A group takes no lock of a deque that looks empty.
 */
#include "group.h"
#include "steal_tasks.h"

#define DEQUE_LOCK 0u
#define DEQUE_HEAD 1u
#define DEQUE_TAIL 2u

/* Index of the first word of a group's deque. */
static uint deque_of(const struct gl_self *self, uint group)
{
    return gl_sync(self, STEAL_DEQUES + group * GL_LINE);
}

static bool deque_lock(struct gl_self *self, uint deque)
{
    const uint lock = deque + DEQUE_LOCK;
    struct gl_spin spin;
    uint seen;

    gl_spin_begin(self, &spin, lock, GL_UNTIL_EQUAL, 0, GL_GROUP_OWNER);
    do {
        gl_spin_look(self, &spin);
        seen = gl_compare_exchange(self->board + lock, 0, self->group + 1);
    } while (gl_spin_goes_on(self, &spin, seen));
    if (!gl_spin_end(self, &spin))
        return false;
    gl_takes(self, lock);
    return true;
}

static void deque_unlock(struct gl_self *self, uint deque)
{
    gl_drops(self, deque + DEQUE_LOCK);
    gl_release(self->board + deque + DEQUE_LOCK, 0);
}

static uint deque_size(const struct gl_self *self, uint deque)
{
    return gl_load(self->board + deque + DEQUE_TAIL) - gl_load(self->board + deque + DEQUE_HEAD);
}

static bool deque_put(struct gl_self *self, const struct steal *steal, uint task)
{
    const uint deque = deque_of(self, self->group);

    if (!deque_lock(self, deque))
        return false;
    const uint tail = gl_load(self->board + deque + DEQUE_TAIL);
    gl_store(steal_slot(steal, self->group, tail), task);
    gl_store(self->board + deque + DEQUE_TAIL, tail + 1);
    deque_unlock(self, deque);
    return true;
}

static bool deque_take(struct gl_self *self, const struct steal *steal, uint *task)
{
    const uint deque = deque_of(self, self->group);

    *task = STEAL_NONE;
    if (deque_size(self, deque) == 0)
        return true;
    if (!deque_lock(self, deque))
        return false;
    if (deque_size(self, deque) != 0) {
        const uint tail = gl_load(self->board + deque + DEQUE_TAIL) - 1;
        *task = gl_load(steal_slot(steal, self->group, tail));
        gl_store(self->board + deque + DEQUE_TAIL, tail);
    }
    deque_unlock(self, deque);
    return true;
}

static bool deque_steal(struct gl_self *self, const struct steal *steal, uint victim, uint *task)
{
    const uint deque = deque_of(self, victim);

    *task = STEAL_NONE;
    if (deque_size(self, deque) == 0)
        return true;
    if (!deque_lock(self, deque))
        return false;
    if (deque_size(self, deque) != 0) {
        const uint head = gl_load(self->board + deque + DEQUE_HEAD);
        *task = gl_load(steal_slot(steal, victim, head));
        gl_store(self->board + deque + DEQUE_HEAD, head + 1);
    }
    deque_unlock(self, deque);
    return true;
}

GL_KERNEL void steal_locked(global uint *board, global uint *done, global uint *arguments, global uint *slots)
{
    local uint next;
    local uint leaving;
    struct gl_self self;
    struct steal steal = {.done = done, .arguments = arguments, .slots = slots};

    if (!gl_enter(&self, board, &leaving))
        return;
    steal_init(&self, &steal, gl_own(&self, PARAM_BATCH), gl_own(&self, PARAM_CHILDREN));
    if (steal_work(&self, &steal, &next))
        gl_leave(&self);
}
