/*
 * kernel:  loop
 * purpose: after how many turns a driver ends a loop although its condition is still true
 * needs:   nothing
 * fails:   it cannot; its loop has a bound
 * source:  gridlock
 *
 * A file of its own: some drivers give all loops of a kernel one budget, those not taken included.
 */
#include "sync.h"

/*
 * Counts the turns of a loop whose condition stays true until GL_FUSE_TOTAL turns are done. It reads
 * no memory, so that many turns take little time: a xorshift generator (Marsaglia, Journal of
 * Statistical Software 2003) never becomes 0, and no compiler knows that.
 */
static void turn(global uint *board, global uint *entry)
{
    const uint bound = gl_load(board + GL_FUSE_TOTAL);
    uint state = gl_load(board + GL_SALT) + 1;
    uint turns = 0;
    while (state != 0 && turns < bound) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        ++turns;
    }
    gl_store(entry + GL_POLLS, turns);
}

kernel void loop(global uint *board)
{
    global uint *entry = gl_entry(board);
    if (get_local_id(0) == 0 && gl_start(board, entry)) {
        turn(board, entry);
        gl_done(entry);
    }
}
