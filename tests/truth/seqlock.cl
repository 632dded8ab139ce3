/*
 * kernel:  seqlock
 * purpose: readers that read again if a writer was there meanwhile
 * needs:   all groups resident together
 * fails:   with a fault the writer ends in the midst of writing
 * source:  Lameter, Ottawa Linux Symposium 2005
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  fault = none | odd
 * param:   ms = 50 in 0..60000  how long a group computes
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   4*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * Group 0 writes three times. A word is odd meanwhile, and the readers wait until it is even. Each ends when it has
 * read something of the last time, and all of that at one time.
 */
#include "leader.h"

#define SEQUENCE word_at(self, 0)
#define DATA word_at(self, 1)
#define WRITES 3u

static void write_all(struct gl_self *self, global uint *sum)
{
    for (uint i = 0; i < WRITES; ++i) {
        gl_release(self->board + SEQUENCE, 2 * i + 1);
        gl_release(self->board + DATA, i + 1);
        busy_ms(self, sum, gl_own(self, PARAM_MS));
#if defined(FAULT_ODD)
        if (i + 1 == WRITES)
            return;
#endif
        gl_release(self->board + SEQUENCE, 2 * i + 2);
        busy_ms(self, sum, gl_own(self, PARAM_MS));
    }
}

/* Waits until the word is even, which is no value: the loop passes one that the word never has. */
static bool await_even(struct gl_self *self, uint *even)
{
    struct gl_spin spin;
    uint seen;

    gl_spin_begin(self, &spin, SEQUENCE, GL_UNTIL_EQUAL, NEVER, 0);
    do {
        gl_spin_look(self, &spin);
        *even = seen = gl_load(self->board + SEQUENCE);
        seen = seen != 0 && seen % 2 == 0 ? NEVER : seen;
    } while (gl_spin_goes_on(self, &spin, seen));
    return gl_spin_end(self, &spin);
}

static void act(struct gl_self *self, global uint *sum)
{
    uint before, data;

    if (self->group == 0) {
        write_all(self, sum);
        return;
    }
    do {
        if (!await_even(self, &before))
            return;
        data = gl_load(self->board + DATA);
        gl_fence();
    } while ((gl_load(self->board + SEQUENCE) != before || data != WRITES) && gl_load(self->board + GL_STOP) == 0);
}

GL_KERNEL void seqlock(global uint *board, global uint *sums)
{
    local uint leaving;

    leaders_act(board, sums, &leaving);
}
