/*
 * kernel:  probe
 * purpose: what a device and its driver do with a running kernel: canary, loops cut, channel
 * needs:   nothing
 * fails:   it cannot; each loop has a bound
 * source:  gridlock
 */
#include "sync.h"

/*
 * Counts the turns of a loop whose condition stays true until GL_FUSE_TOTAL turns are done. It reads
 * no memory, so that many turns take little time: a xorshift generator (Marsaglia, Journal of
 * Statistical Software 2003) never becomes 0, and no compiler knows that.
 */
static void loop(global uint *board, global uint *entry)
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

/* Polls a word that does not change, GL_FUSE_TOTAL times: what does a poll cost? */
static void poll(global uint *board, global uint *entry)
{
    const uint bound = gl_load(board + GL_FUSE_TOTAL);
    uint polls = 0;
    while (polls < bound && gl_load(board + GL_SALT) == 0)
        ++polls;
    gl_store(entry + GL_POLLS, polls);
}

/* Beats, so that the host can see the kernel run, until the host stops it or the fuse blows. */
static void echo(global uint *board, global uint *entry)
{
    const uint bound = gl_load(board + GL_FUSE_TOTAL);
    uint ended = GL_ENDED_CUT;
    uint polls = 0;
    for (;;) {
        if (gl_load(board + GL_STOP) != 0) {
            ended = GL_ENDED_STOP;
            break;
        }
        if (polls >= bound) {
            ended = GL_ENDED_TOTAL;
            break;
        }
        ++polls;
        gl_store(board + GL_BEAT, polls);
        if (polls % GL_YIELD_POLLS == 0)
            gl_yield();
    }
    gl_store(entry + GL_POLLS, polls);
    gl_store(entry + GL_ENDED, ended);
}

kernel void probe(global uint *board)
{
    global uint *entry = gl_entry(board);
    const uint mode = gl_load(board + GL_MODE);
    if (get_local_id(0) == 0 && gl_start(board, entry)) {
        if (mode == GL_MODE_POLL)
            poll(board, entry);
        else if (mode == GL_MODE_ECHO)
            echo(board, entry);
        else
            gl_yield();
        gl_done(entry);
    }
}

/* A kernel of its own: some drivers give all loops of a kernel one budget, those that are not taken included. */
kernel void probe_loop(global uint *board)
{
    global uint *entry = gl_entry(board);
    if (get_local_id(0) == 0 && gl_start(board, entry)) {
        loop(board, entry);
        gl_done(entry);
    }
}
