/*
 * kernel:  loop
 * purpose: after how many turns a driver ends a loop although its condition is still true
 * needs:   nothing
 * fails:   it cannot; its loop has a bound
 * source:  gridlock
 *
 * A file of its own: some drivers give all loops of a kernel one budget, those not taken included.
 */
#include "group.h"

/*
 * Counts the turns of a loop whose condition stays true until GL_FUSE_TOTAL turns are done. It reads no memory, so that
 * many turns take little time. This linear congruential generator (Press et al., Numerical Recipes) starts with 1 and
 * reaches 0 only in turn 2762255909, which no compiler knows.
 */
static void turn(const struct gl_self *self)
{
    const uint bound = gl_load(self->board + GL_FUSE_TOTAL);
    uint state = gl_load(self->board + GL_SALT) + 1;
    uint turns = 0;
    while (state != 0 && turns < bound) {
        state = state * 1664525 + 1013904223;
        ++turns;
    }
    gl_store(self->entry + GL_POLLS, turns);
}

kernel void loop(global uint *board)
{
    struct gl_self self;
    gl_self_init(&self, board);
    if (self.leader && gl_start(&self)) {
        turn(&self);
        gl_done(&self);
    }
}
