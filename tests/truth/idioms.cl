/*
 * kernel:  idioms
 * purpose: a tree of flags, a barrier with a sense, a ticket lock with back-off, a semaphore, readers and writers, a
 *          work list that ends by itself, and tries between barriers
 * needs:   started groups run on (OBE)
 * fails:   above the resident limit, where all wait for all
 * source:  Mellor-Crummey and Scott, TOCS 1991 (trees, senses, back-off); Courtois, Heymans and Parnas, CACM 1971
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  kind = owner | ticket | named
 * option:  way = tree | sense | backoff | permits | readers | list | tries | inside
 * option:  fault = none | one
 * option:  said = no | yes
 * param:   ms = 0 in 0..60000
 * param:   polls = 20000 in 1..1000000000
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   (64+groups)*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * Fault one: the last leaf of the tree ends without its flag; a group leaves the barrier out in the last round; a group
 * keeps its ticket, its permit, or the right to write; a group ends with a task of the list; who holds the lock that
 * others try to get meets them with it.
 * Way inside: the root of a tree waits for its children's flags with a lock that they need.
 */
#include "leader.h"
#include "locks.h"

#define GO word_at(self, 16)
#define COUNT word_at(self, 17)
#define SENSE word_at(self, 18)
#define NEXT word_at(self, 19)
#define SERVED word_at(self, 20)
#define STATE word_at(self, 21)
#define BEGUN word_at(self, 22)
#define OWN(group) word_at(self, 64 + (group))
#define ROUNDS 3u
#define PERMITS 2u
#define WRITES 0x10000u
#define TASK 0x10001u /* one that is open, and free */

#if defined(FAULT_ONE)
#define FAULTY true
#else
#define FAULTY false
#endif

static void note_round(struct gl_self *self, uint round)
{
#if defined(SAID_YES)
    gl_round(self, round);
#endif
}

static bool children_wait(struct gl_self *self, uint round)
{
    for (uint child = 2 * self->group + 1; child <= 2 * self->group + 2 && child < self->groups; ++child)
        if (!gl_wait(self, OWN(child), round, child))
            return false;
    return true;
}

#if defined(WAY_TREE)
static void act(struct gl_self *self, global uint *sum)
{
    for (uint round = 1; round <= ROUNDS; ++round) {
        note_round(self, round);
        if (self->group % 3 == 0)
            busy_ms(self, sum, gl_own(self, PARAM_MS));
        if (!children_wait(self, round))
            return;
        if (FAULTY && round == ROUNDS && self->groups > 1 && self->group == self->groups - 1)
            return;
        gl_release(self->board + (self->group == 0 ? GO : OWN(self->group)), round);
        if (self->group != 0 && !gl_wait(self, GO, round, 0))
            return;
    }
}
#elif defined(WAY_SENSE)
static void act(struct gl_self *self, global uint *sum)
{
    for (uint round = 1; round <= ROUNDS; ++round) {
        note_round(self, round);
        if (self->group % 2 == 0)
            busy_ms(self, sum, gl_own(self, PARAM_MS));
        if (FAULTY && round == ROUNDS && self->groups > 1 && self->group == self->groups - 1)
            return;
        if (gl_add(self->board + COUNT, 1) == self->groups - 1) {
            gl_store(self->board + COUNT, 0);
            gl_release(self->board + SENSE, round % 2);
        } else if (!gl_wait_until(self, SENSE, GL_UNTIL_EQUAL, round % 2, GL_GROUP_ALL)) {
            return;
        }
    }
}
#elif defined(WAY_BACKOFF)
/* It looks the more seldom the more others are before it. */
static bool turn_comes(struct gl_self *self, global uint *sum, uint number)
{
    struct gl_spin spin;
    uint seen;

    gl_spin_begin(self, &spin, SERVED, GL_UNTIL_EQUAL, number, GL_GROUP_HOLDER);
    do {
        gl_spin_look(self, &spin);
        seen = gl_load(self->board + SERVED);
        if (seen != number)
            busy_us(self, sum, min(number - seen, 16u) * 10);
    } while (gl_spin_goes_on(self, &spin, seen));
    return gl_spin_end(self, &spin);
}

static void act(struct gl_self *self, global uint *sum)
{
    for (uint round = 1; round <= ROUNDS; ++round) {
        const uint number = gl_add(self->board + NEXT, 1);
        if (!turn_comes(self, sum, number))
            return;
        gl_holds(self, 1);
        if (number == 0)
            busy_ms(self, sum, gl_own(self, PARAM_MS));
        if (FAULTY && number == 1)
            return;
        gl_holds(self, 0);
        gl_release(self->board + SERVED, number + 1);
    }
}
#elif defined(WAY_PERMITS)
/* The word is how many are taken. */
static bool permit_comes(struct gl_self *self)
{
    for (;;) {
        const uint taken = gl_load(self->board + STATE);
        if (taken < PERMITS && gl_compare_exchange(self->board + STATE, taken, taken + 1) == taken)
            return true;
        if (taken == PERMITS && !gl_wait_until(self, STATE, GL_UNTIL_DIFFERENT, PERMITS, GL_GROUP_HOLDER))
            return false;
    }
}

static void act(struct gl_self *self, global uint *sum)
{
    if (!permit_comes(self))
        return;
    gl_holds(self, 1);
    if (self->group < 3)
        busy_ms(self, sum, gl_own(self, PARAM_MS));
    if (FAULTY)
        return;
    gl_holds(self, 0);
    gl_add(self->board + STATE, 0xffffffffu);
}
#elif defined(WAY_READERS)
/* The word is how many read, or WRITES. */
static bool enters(struct gl_self *self, bool writes)
{
    struct gl_spin spin;
    uint seen;

    gl_spin_begin(self, &spin, STATE, GL_UNTIL_EQUAL, NEVER, GL_GROUP_HOLDER);
    do {
        gl_spin_look(self, &spin);
        seen = gl_load(self->board + STATE);
        if (writes ? seen == 0 : seen < WRITES)
            if (gl_compare_exchange(self->board + STATE, seen, writes ? WRITES : seen + 1) == seen)
                seen = NEVER;
    } while (gl_spin_goes_on(self, &spin, seen));
    return gl_spin_end(self, &spin);
}

static void act(struct gl_self *self, global uint *sum)
{
    const bool writes = self->group % 2 == 0;

    if (FAULTY && self->group != 0 && !gl_wait(self, BEGUN, 1, 0))
        return;
    for (uint round = 1; round <= ROUNDS; ++round) {
        if (!enters(self, writes))
            return;
        gl_holds(self, 1);
        if (self->group == 0)
            gl_release(self->board + BEGUN, 1);
        if (self->group < 2)
            busy_ms(self, sum, gl_own(self, PARAM_MS));
        if (FAULTY && self->group == 0)
            return;
        gl_holds(self, 0);
        gl_add(self->board + STATE, writes ? 0 - WRITES : 0xffffffffu);
    }
}
#elif defined(WAY_LIST)
/* The upper half of the word counts tasks that are not done, the lower half those that nobody has. */
static bool task_comes(struct gl_self *self)
{
    for (;;) {
        const uint state = gl_load(self->board + STATE);
        if (state == 0)
            return false; /* all are done */
        if ((state & 0xffffu) != 0) {
            if (gl_compare_exchange(self->board + STATE, state, state - 1) == state)
                return true;
        } else if (!gl_wait_until(self, STATE, GL_UNTIL_DIFFERENT, state, GL_GROUP_ANY)) {
            return false;
        }
    }
}

static void act(struct gl_self *self, global uint *sum)
{
    if (self->group == 0) {
        gl_store(self->board + STATE, 1 * TASK);
        gl_release(self->board + BEGUN, 1);
    } else if (!gl_wait(self, BEGUN, 1, 0)) {
        return;
    }
    while (task_comes(self)) {
        const uint number = gl_add(self->board + NEXT, 1);
        if (FAULTY && number == 5)
            return;
        busy_ms(self, sum, gl_own(self, PARAM_MS));
        gl_step(self);
        gl_add(self->board + STATE, (number < 3 ? 2 * TASK : 0) - WRITES);
    }
}
#elif defined(WAY_TRIES)
static bool all_meet(struct gl_self *self, uint round)
{
    note_round(self, round);
    gl_add(self->board + COUNT, 1);
    return gl_wait(self, COUNT, round * self->groups, GL_GROUP_ALL);
}

static void act(struct gl_self *self, global uint *sum)
{
    struct lock one = lock_at(self, 0);

    if (self->group == 0) {
        if (!lock_take(self, &one, 1))
            return;
        gl_release(self->board + BEGUN, 1);
        busy_ms(self, sum, gl_own(self, PARAM_MS));
        if (!FAULTY)
            lock_drop(self, &one, 0);
        if (!all_meet(self, 1))
            return;
        if (FAULTY)
            lock_drop(self, &one, 0);
    } else {
        if (!gl_wait(self, BEGUN, 1, 0))
            return;
        const uint wanted = gl_load(self->board + one.word);
        if (gl_try_until(self, one.word, GL_UNTIL_DIFFERENT, wanted, gl_own(self, PARAM_POLLS)) == GL_TRY_STOPPED)
            return;
        if (!all_meet(self, 1))
            return;
    }
    all_meet(self, 2);
}
#else
static void act(struct gl_self *self, global uint *sum)
{
    struct lock one = lock_at(self, 0);

    if (self->group != 0 && !gl_wait(self, BEGUN, 1, 0))
        return;
    if (!lock_take(self, &one, 1))
        return;
    if (self->group == 0)
        gl_release(self->board + BEGUN, 1);
    if (self->group < 2)
        busy_ms(self, sum, gl_own(self, PARAM_MS));
    if (!children_wait(self, 1))
        return;
    lock_drop(self, &one, 0);
    gl_release(self->board + OWN(self->group), 1);
}
#endif

GL_KERNEL void idioms(global uint *board, global uint *sums)
{
    local uint leaving;

    leaders_act(board, sums, &leaving);
}
