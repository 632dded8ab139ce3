/*
 * kernel:  own_condition
 * purpose: groups wait in loops of their own for one bit of a word in which another bit is set already
 * needs:   the group that sets the bit gets its turn
 * fails:   with a fault nobody sets it
 * source:  gridlock
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  way = bit | never
 * option:  fault = none | lost
 * param:   ms = 0 in 0..60000  how long group 0 computes before it sets the bit
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * bit: the loop passes on the bit, so that the board shows a wait for a word that has the value already; never: it
 * waits for a value that the word never has, and passes that on once the bit is set.
 */
#include "busy.h"

#define WANTED 1u
#define OTHER 2u
#define NEVER 0xffffffffu

static void set_bit(struct gl_self *self, global uint *sum)
{
    gl_release(self->board + gl_sync(self, 0), OTHER);
    busy_ms(self, sum, gl_own(self, PARAM_MS));
#if defined(FAULT_NONE)
    gl_or(self->board + gl_sync(self, 0), WANTED);
#endif
}

static void await_bit(struct gl_self *self)
{
    const uint word = gl_sync(self, 0);
    struct gl_spin spin;
    uint seen;

#if defined(WAY_NEVER)
    gl_spin_begin(self, &spin, word, GL_UNTIL_EQUAL, NEVER, 0);
#else
    gl_spin_begin(self, &spin, word, GL_UNTIL_DIFFERENT, 0, 0);
#endif
    do {
        gl_spin_look(self, &spin);
        seen = gl_load(self->board + word);
#if defined(WAY_NEVER)
        seen = (seen & WANTED) != 0 ? NEVER : seen;
#else
        seen &= WANTED;
#endif
    } while (gl_spin_goes_on(self, &spin, seen));
    gl_spin_end(self, &spin);
}

GL_KERNEL void own_condition(global uint *board, global uint *sums)
{
    local uint leaving;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    gl_gather(&self);
    if (self.leader) {
        if (self.group == 0)
            set_bit(&self, sums);
        else
            await_bit(&self);
    }
    if (!gl_proceed(&self))
        return;
    busy_end(&self);
}
