/*
 * kernel:  queue_ring
 * purpose: a bounded queue, into which half of the groups put items and from which the other half take them
 * needs:   all groups resident together, or fair scheduling
 * fails:   producers wait for room that consumers would make which cannot start, or consumers wait for such producers
 * source:  after Vyukov's bounded queue of many producers and consumers (1024cores), with positions by fetch-and-add
 * option:  roles = alternate | producers-first | consumers-first
 * option:  access = plain | volatile | atomic
 * option:  fault = none | no-sequence
 * param:   slots = 4 in 1..65536  items that the queue holds
 * words:   (slots+2)*line
 * names:   tail = 0
 * names:   head = line
 * names:   sequence of slot {i} = (2+i)*line, i < slots
 * data:    taken uint ceil(groups,2)*rounds zero
 * data:    payload uint slots*local-size zero
 * checks:  ceil(groups,2)*rounds*local-size
 * result:  each(taken) = 1
 *
 * Position p is slot p modulo slots in lap p / slots. The slot's own word says whose turn it is: 2 * lap when it is
 * free for the producer of that lap, 1 more when it is full. Each producer puts `rounds` items, each consumer takes as
 * many; with an odd number of groups the last one does both by turns.
 *
 * Fault: with no-sequence the slots have no such word. Who has taken a position only waits until the other side has
 * taken the matching one, so an item may be read before it is written.
 */
#include "group.h"
#include "lock_overlap.h"
#include "publish.h"

#define QUEUE_TAIL 0u
#define QUEUE_HEAD GL_LINE

/* Index of the word of the slot of a position; its item is the next word. */
static uint queue_slot(const struct gl_self *self, uint position, uint slots)
{
    return gl_sync(self, (2 + position % slots) * GL_LINE);
}

/* The leader takes the next position, and waits until its slot is full, if it is to take, or else free. */
static uint queue_claim(struct gl_self *self, bool take, uint slots)
{
    const uint end = gl_sync(self, take ? QUEUE_HEAD : QUEUE_TAIL);
    const uint position = gl_add(self->board + end, 1);

#if defined(FAULT_NO_SEQUENCE)
    const uint other = gl_sync(self, take ? QUEUE_TAIL : QUEUE_HEAD);
    gl_wait(self, other, position + 1 - (take ? 0 : slots), GL_GROUP_ANY);
#else
    gl_wait(self, queue_slot(self, position, slots), position / slots * 2 + take, GL_GROUP_ANY);
#endif
    return position;
}

/* A work-item's part. The payload of a position is its number plus 1; a lap before, another one was in the slot. */
static void queue_use(struct gl_self *self, bool take, uint position, uint slots, global uint *payload)
{
    global uint *cell = payload + position % slots * GL_LOCAL_SIZE + get_local_id(0);

    if (take) {
        gl_check(self, position, publish_load(cell), position + 1, position < slots ? 0 : position + 1 - slots);
    } else {
        gl_delay(self, position);
        publish_store(cell, position + 1);
    }
}

/* The leader counts the item that it takes, or puts `item`, and passes the slot on. */
static void queue_pass(struct gl_self *self, bool take, uint position, uint slots, global uint *taken, uint item)
{
    global uint *turn = self->board + queue_slot(self, position, slots);

    if (take)
        gl_add_relaxed(taken + gl_load(turn + 1), 1);
    else
        gl_store(turn + 1, item);
    gl_release(turn, position / slots * 2 + (take ? 2 : 1));
}

/* What a group does in a step: an odd one out puts and takes by turns. */
static bool queue_takes(const struct gl_self *self, uint pairs, uint step)
{
    if (self->group >= 2 * pairs)
        return step % 2 == 1;
#if defined(ROLES_PRODUCERS_FIRST)
    return self->group >= pairs;
#elif defined(ROLES_CONSUMERS_FIRST)
    return self->group < pairs;
#else
    return self->group % 2 == 1;
#endif
}

/* The number of the producer among producers. */
static uint queue_producer(const struct gl_self *self, uint pairs)
{
    if (self->group >= 2 * pairs)
        return pairs;
#if defined(ROLES_PRODUCERS_FIRST) || defined(ROLES_CONSUMERS_FIRST)
    return self->group % pairs;
#else
    return self->group / 2;
#endif
}

GL_KERNEL void queue_ring(global uint *board, global uint *taken, global uint *payload)
{
    local uint position;
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint rounds = gl_parameter(board, GL_ROUNDS);
    const uint slots = gl_own(&self, PARAM_SLOTS);
    const uint pairs = self.groups / 2;
    const uint sides = self.group < 2 * pairs ? 1 : 2;
    const uint first = queue_producer(&self, pairs) * rounds;
#if defined(FAULT_NO_SEQUENCE)
    if (!lock_overlap(&self))
        return;
#endif
    for (uint step = 0; step < sides * rounds; ++step) {
        const bool take = queue_takes(&self, pairs, step);
        gl_gather(&self);
        if (self.leader) {
            gl_round(&self, step + 1);
            position = queue_claim(&self, take, slots);
        }
        if (!gl_proceed(&self))
            return;
        queue_use(&self, take, position, slots, payload);
        gl_gather(&self);
        if (self.leader)
            queue_pass(&self, take, position, slots, taken, first + step / sides);
    }
    gl_leave(&self);
}
