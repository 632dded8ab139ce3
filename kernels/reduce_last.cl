/*
 * kernel:  reduce_last
 * purpose: a reduction in one launch without any wait: the group that is done last combines what the others left
 * needs:   nothing
 * fails:   never by waiting; without a fence the last group may read partial results that are not there yet
 * source:  NVIDIA, CUDA samples, threadFenceReduction
 * option:  type = int | long | float
 * option:  op = sum | product | min | max
 * option:  fault = none | no-fence | no-reset
 * param:   items = 100003 in 1..1073741824  length of the input, in items
 * words:   groups
 * names:   mark of group {i} = i, i < groups
 * data:    input item items seeded
 * data:    tickets uint 1 zero
 * data:    partials item groups zero
 * data:    output item 2 zero
 * checks:  groups
 * result:  output[0] = reduce(input)
 * result:  output[1] = reduce(input)
 * launches: 2
 *
 * Each group takes a ticket after it has written its partial result. Whoever draws the last ticket knows that all
 * others have written theirs; a mark beside each of them shows whether it can see them. The second launch does
 * the same again with the same tickets, so the last group of the first one must put them back to 0.
 *
 * Faults: with no-fence the ticket is drawn by a relaxed addition, and partial results are plain variables, at which
 * each group has looked before: nothing orders the partial result before the ticket, and nothing tells the last group
 * not to believe what it has seen. A processor that keeps its caches alike and its stores in order, as x86, hides that.
 * With no-reset nobody puts the tickets back: in the second launch no group is the last.
 */
#include "reduce_local.h"

#if defined(FAULT_NO_FENCE)
#define SHARED
#else
#define SHARED volatile
#endif

/* Leaves this group's part, with a mark, and returns how many groups had left theirs before. */
static uint leave_part(const struct gl_self *self, global uint *tickets, SHARED global item *partials, item part)
{
    partials[self->group] = part;
    gl_store(self->board + gl_sync(self, self->group), item_mark(part, self->group));
#if defined(FAULT_NO_FENCE)
    return gl_add_relaxed(tickets, 1);
#else
    return gl_add(tickets, 1);
#endif
}

GL_INLINE item combine_parts(struct gl_self *self, local item *scratch, SHARED global const item *partials)
{
    item value = ITEM_IDENTITY;

    for (uint group = (uint)get_local_id(0); group < self->groups; group += GL_LOCAL_SIZE) {
        const item part = partials[group];
        gl_check(self, group, gl_load(self->board + gl_sync(self, group)), item_mark(part, group), 0);
        value = item_combine(value, part);
    }
    return reduce_local(scratch, value);
}

#if defined(FAULT_NO_FENCE)
/* What this work-item will read at the end, if its group is the last one: too early, and into the cache. */
static item look(const struct gl_self *self, global const item *partials)
{
    item value = ITEM_IDENTITY;
    for (uint group = (uint)get_local_id(0); group < self->groups; group += GL_LOCAL_SIZE)
        value = item_combine(value, partials[group]);
    return value;
}
#endif

GL_KERNEL void reduce_last(global uint *board, global const item *input, global uint *tickets, global item *partials,
                           global item *output)
{
    local item scratch[GL_LOCAL_SIZE];
    local uint ticket;
    local uint leaving;
    struct gl_self self;
    struct reduce_reads ahead;
    const uint items = gl_parameter(board, GL_OWN + PARAM_ITEMS);

    reduce_read_ahead(&ahead, board, input, items);
    if (!gl_enter(&self, board, &leaving))
        return;
    gl_delay(&self, 1);
#if defined(FAULT_NO_FENCE)
    if (gl_parameter(board, GL_SALT) != 0 || look(&self, partials) != ITEM_IDENTITY)
        gl_step(&self);
#endif
    const item part = reduce_share(&self, &ahead, scratch, input, items);
    if (self.leader)
        ticket = leave_part(&self, tickets, partials, part);
    gl_gather(&self);
    if (ticket == self.groups - 1) {
        const item whole = combine_parts(&self, scratch, partials);
        if (self.leader) {
            output[gl_parameter(board, GL_PASS)] = whole;
#if !defined(FAULT_NO_RESET)
            gl_store(tickets, 0);
#endif
        }
    }
    gl_leave(&self);
}
