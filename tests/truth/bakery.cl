/*
 * kernel:  bakery
 * purpose: mutual exclusion by reads and writes alone
 * needs:   a group that has started runs on (OBE)
 * fails:   without turns two groups that both ask wait for each other
 * source:  Lamport, CACM 1974; Peterson, IPL 1981
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  way = bakery | peterson | asking
 * param:   ms = 50 in 0..60000  how long a group computes
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   (2*groups+4)*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * bakery: each group draws a number, and goes after those with lower ones. peterson: the first two groups ask, and the
 * one that asked last goes second. asking: the same without turns, and both have asked.
 */
#include "leader.h"

#define CHOOSES(group) word_at(self, 2 * (group))
#define NUMBER(group) word_at(self, 2 * (group) + 1)
#define TURN word_at(self, 2 * self->groups)

#if defined(WAY_BAKERY)

static uint highest(struct gl_self *self)
{
    uint most = 0;
    for (uint group = 0; group < self->groups; ++group)
        most = max(most, gl_load(self->board + NUMBER(group)));
    return most;
}

/* The other one has no number, or a higher one. */
static bool await_number(struct gl_self *self, uint other, uint mine)
{
    struct gl_spin spin;
    uint seen;

    gl_spin_begin(self, &spin, NUMBER(other), GL_UNTIL_EQUAL, NEVER, other);
    do {
        gl_spin_look(self, &spin);
        seen = gl_load(self->board + NUMBER(other));
        if (seen == 0 || seen > mine || (seen == mine && other > self->group))
            seen = NEVER;
    } while (gl_spin_goes_on(self, &spin, seen));
    return gl_spin_end(self, &spin);
}

static void act(struct gl_self *self, global uint *sum)
{
    gl_store(self->board + CHOOSES(self->group), 1);
    gl_fence_total();
    const uint mine = highest(self) + 1;
    gl_store(self->board + NUMBER(self->group), mine);
    gl_release(self->board + CHOOSES(self->group), 0);
    gl_fence_total();
    for (uint other = 0; other < self->groups; ++other)
        if (other != self->group &&
            (!gl_wait_until(self, CHOOSES(other), GL_UNTIL_EQUAL, 0, other) || !await_number(self, other, mine)))
            return;
    busy_ms(self, sum, gl_own(self, PARAM_MS));
    gl_release(self->board + NUMBER(self->group), 0);
}

#else

static bool lock(struct gl_self *self, uint other)
{
    struct gl_spin spin;
    uint seen;

    gl_store(self->board + NUMBER(self->group), 1);
#if defined(WAY_ASKING)
    if (!gl_wait_until(self, NUMBER(other), GL_UNTIL_EQUAL, 1, other))
        return false;
#endif
    gl_exchange(self->board + TURN, other + 1);
    gl_fence_total();
    gl_spin_begin(self, &spin, NUMBER(other), GL_UNTIL_EQUAL, 0, other);
    do {
        gl_spin_look(self, &spin);
        seen = gl_load(self->board + NUMBER(other));
#if defined(WAY_PETERSON)
        if (gl_load(self->board + TURN) != other + 1)
            seen = 0;
#endif
    } while (gl_spin_goes_on(self, &spin, seen));
    return gl_spin_end(self, &spin);
}

static void act(struct gl_self *self, global uint *sum)
{
    if (self->group > 1 || self->groups == 1)
        return;
    for (uint i = 0; i < 2; ++i) {
        if (!lock(self, 1 - self->group))
            return;
        busy_ms(self, sum, gl_own(self, PARAM_MS));
        gl_release(self->board + NUMBER(self->group), 0);
    }
}

#endif

GL_KERNEL void bakery(global uint *board, global uint *sums)
{
    local uint leaving;

    leaders_act(board, sums, &leaving);
}
