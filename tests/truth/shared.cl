/*
 * kernel:  shared
 * purpose: a lock that many may have for reading, and one for writing
 * needs:   a group that holds the lock runs on (OBE)
 * fails:   a writer that waits for a reader who has yet to get in
 * source:  Courtois, Heymans and Parnas, CACM 1971
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  way = readers | writer | downgrade | inside
 * param:   ms = 50 in 0..60000  how long a group computes
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   4*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * The word has WRITES, or how many read. readers: all but the last read, and that one writes. writer: the last one
 * writes at once, and the others come meanwhile. downgrade: it reads on before it leaves. inside: group 0 writes, and
 * waits there for the last group, which has yet to read.
 */
#include "leader.h"

#define LOCK word_at(self, 0)
#define BEGUN word_at(self, 1)
#define READ word_at(self, 2)
#define WRITES 0x10000u

static bool enter(struct gl_self *self, bool writes)
{
    global uint *lock = self->board + LOCK;
    struct gl_spin spin;
    uint seen;

    gl_spin_begin_lock(self, &spin, LOCK, GL_UNTIL_EQUAL, NEVER, GL_GROUP_HOLDER, LOCK);
    do {
        gl_spin_look(self, &spin);
        seen = gl_load(lock);
        if ((writes ? seen == 0 : seen < WRITES) && gl_compare_exchange(lock, seen, writes ? WRITES : seen + 1) == seen)
            seen = NEVER;
    } while (gl_spin_goes_on(self, &spin, seen));
    if (!gl_spin_end(self, &spin))
        return false;
    gl_takes(self, LOCK);
    return true;
}

static void leave(struct gl_self *self, bool writes)
{
    gl_drops(self, LOCK);
    gl_fence();
    gl_add(self->board + LOCK, writes ? -WRITES : -1u);
}

static void do_write(struct gl_self *self, global uint *sum)
{
    if (!enter(self, true))
        return;
    gl_release(self->board + BEGUN, 1);
    busy_ms(self, sum, gl_own(self, PARAM_MS));
#if defined(WAY_INSIDE)
    if (self->groups > 1 && !gl_wait(self, READ, 1, self->groups - 1))
        return;
#elif defined(WAY_DOWNGRADE)
    gl_add(self->board + LOCK, 1 - WRITES); /* from one that writes to one that reads */
    busy_ms(self, sum, gl_own(self, PARAM_MS));
    leave(self, false);
    return;
#endif
    leave(self, true);
}

static void do_read(struct gl_self *self, global uint *sum)
{
    if (!enter(self, false))
        return;
    busy_ms(self, sum, gl_own(self, PARAM_MS));
    leave(self, false);
    if (self->group + 1 == self->groups)
        gl_release(self->board + READ, 1);
}

static void act(struct gl_self *self, global uint *sum)
{
#if defined(WAY_INSIDE)
    const uint writer = 0;
#else
    const uint writer = self->groups - 1;
#endif

#if !defined(WAY_READERS)
    if (self->group != writer && !gl_wait(self, BEGUN, 1, writer))
        return;
#endif
    if (self->group == writer)
        do_write(self, sum);
    else
        do_read(self, sum);
}

GL_KERNEL void shared(global uint *board, global uint *sums)
{
    local uint leaving;

    leaders_act(board, sums, &leaving);
}
