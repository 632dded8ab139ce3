/*
 * kernel:  steal_chase_lev
 * purpose: work stealing from deques without locks
 * needs:   nothing; with termination = count all groups resident together, or fair scheduling
 * fails:   with termination = count the groups inside wait for the tasks of groups that cannot start before one leaves
 * source:  Chase and Lev, SPAA 2005; for relaxed memory Le, Pop, Cohen and Zappa Nardelli, PPoPP 2013
 * option:  termination = empty | count
 * option:  access = plain | volatile | atomic
 * option:  fault = none | no-last-exchange
 * param:   batch = 2 in 1..65536  root tasks that a group puts into its deque at a time
 * param:   children = 2 in 0..64  tasks that each root task makes
 * words:   (2*groups+2)*line
 * names:   call counter = 0
 * names:   tasks done = line
 * names:   top of deque {i} = (2+2*i)*line, i < groups
 * names:   bottom of deque {i} = (3+2*i)*line, i < groups
 * data:    done uint groups*rounds*(1+children) zero
 * data:    arguments uint groups*rounds*(1+children) zero
 * data:    slots uint groups*(batch+children) zero
 * checks:  groups*rounds*(1+children)*local-size
 * result:  each(done) = local-size
 *
 * The ring is large enough never to grow. The original has a sequentially consistent fence in `take`, between the
 * write of bottom and the read of top, and one in `steal`, between the reads of top and bottom. Here these reads of
 * top are read-modify-writes, which all have one order: who comes later in it sees what the earlier one wrote before.
 * So if the owner takes a task without a compare-and-exchange, a thief that comes to that task sees the lower bottom.
 *
 * Fault: with no-last-exchange the owner takes the last task without the compare-and-exchange, though a thief may be
 * about to take the same one.
 */
#include "group.h"
#include "lock_overlap.h"
#include "steal_tasks.h"

/* The thieves' end of a group's deque: the oldest task's place. */
static global uint *deque_top(const struct gl_self *self, uint group)
{
    return self->board + gl_sync(self, STEAL_DEQUES + 2 * group * GL_LINE);
}

/* The owner's end: the place behind the newest task. */
static global uint *deque_bottom(const struct gl_self *self, uint group)
{
    return deque_top(self, group) + GL_LINE;
}

/* The value of a word, as the read-modify-write that it was last changed by left it. */
static uint deque_read(global uint *top)
{
    return gl_or(top, 0);
}

static bool deque_put(struct gl_self *self, const struct steal *steal, uint task)
{
    global uint *bottom = deque_bottom(self, self->group);
    const uint place = gl_load(bottom);

    gl_store(steal_slot(steal, self->group, place), task);
    gl_release(bottom, place + 1);
    return true;
}

/* Takes the last task, at `place`, which thieves may take as well: whoever moves top has it. */
static bool deque_take_last(struct gl_self *self, uint place)
{
    global uint *top = deque_top(self, self->group);

#if defined(FAULT_NO_LAST_EXCHANGE)
    /* Best when a thief comes just now; often there is no thief. */
    for (uint i = 0; i < 8 && gl_load(top) == place; ++i)
        gl_delay(self, 8 * place + i);
    gl_release(top, place + 1);
    return true;
#else
    return gl_compare_exchange(top, place, place + 1) == place;
#endif
}

static bool deque_take(struct gl_self *self, const struct steal *steal, uint *task)
{
    global uint *bottom = deque_bottom(self, self->group);
    const uint place = gl_load(bottom) - 1;

    gl_delay(self, place);
    gl_store(bottom, place);
    const int others = (int)(place - deque_read(deque_top(self, self->group)));
    *task = others >= 0 ? gl_load(steal_slot(steal, self->group, place)) : STEAL_NONE;
    if (others > 0)
        return true;
    if (others == 0 && !deque_take_last(self, place))
        *task = STEAL_NONE;
    gl_store(bottom, place + 1);
    return true;
}

/* Tries again only if another group took the task, so it ends. */
static bool deque_steal(struct gl_self *self, const struct steal *steal, uint victim, uint *task)
{
    global uint *top = deque_top(self, victim);
    global uint *bottom = deque_bottom(self, victim);

    while ((int)(gl_load(bottom) - gl_load(top)) > 0) {
        const uint place = deque_read(top);
        if ((int)(gl_acquire(bottom) - place) <= 0)
            break;
        *task = gl_load(steal_slot(steal, victim, place));
        gl_delay(self, place);
        if (gl_compare_exchange(top, place, place + 1) == place)
            return true;
    }
    *task = STEAL_NONE;
    return true;
}

GL_KERNEL void steal_chase_lev(global uint *board, global uint *done, global uint *arguments, global uint *slots)
{
    local uint next;
    local uint leaving;
    struct gl_self self;
    struct steal steal = {.done = done, .arguments = arguments, .slots = slots};

    if (!gl_enter(&self, board, &leaving))
        return;
    steal_init(&self, &steal, gl_own(&self, PARAM_BATCH), gl_own(&self, PARAM_CHILDREN));
#if defined(FAULT_NO_LAST_EXCHANGE)
    if (!lock_overlap(&self))
        return;
#endif
    if (steal_work(&self, &steal, &next))
        gl_leave(&self);
}
