/*
 * kernel:  drowsy
 * purpose: a wait that looks seldom
 * needs:   started groups run on (OBE)
 * fails:   above the resident limit, where all wait for all
 * source:  gridlock
 * option:  work = toil | float | nap | yield | token
 * option:  heed = stop | nothing
 * option:  way = flag | own | taken
 * option:  fault = none | one
 * param:   ms = 0 in 0..60000
 * param:   pause = 0 in 0..60000
 * param:   pace = 400 in 1..100000  turns of its arithmetic in a microsecond
 * words:   64*line
 * data:    sums uint groups zero
 * checks:  groups
 *
 * Group 0 sets a flag and ends, and the others look at it with a long pause between two looks: as a value that the
 * board can compare (flag), by a condition of their own (own), or by taking it from each other (taken). Fault one:
 * nobody sets the flag.
 */
#include "leader.h"

#define FLAG word_at(self, 16)

#if defined(WAY_FLAG)
#define WANTED 1
#define KIND GL_UNTIL_REACHED
#else
#define WANTED NEVER
#define KIND GL_UNTIL_EQUAL
#endif

static bool flag_is_set(const struct gl_self *self)
{
#if defined(WAY_TAKEN)
    return gl_compare_exchange(self->board + FLAG, 1, 2) != 0;
#else
    return gl_load(self->board + FLAG) != 0;
#endif
}

static void act(struct gl_self *self, global uint *sum)
{
    struct gl_spin spin;
    uint seen;

    if (self->group == 0) {
        busy_ms(self, sum, gl_own(self, PARAM_MS));
#if !defined(FAULT_ONE)
        gl_release(self->board + FLAG, 1);
#endif
        return;
    }
    gl_spin_begin(self, &spin, FLAG, KIND, WANTED, 0);
    do {
        gl_spin_look(self, &spin);
        seen = flag_is_set(self) ? WANTED : 0;
        if (seen == 0)
            busy_ms(self, sum, gl_own(self, PARAM_PAUSE));
    } while (gl_spin_goes_on(self, &spin, seen));
    gl_spin_end(self, &spin);
}

GL_KERNEL void drowsy(global uint *board, global uint *sums)
{
    local uint leaving;

    leaders_act(board, sums, &leaving);
}
