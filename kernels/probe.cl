/*
 * kernel:  probe
 * purpose: what a device and its driver do with a running kernel: canary, cost of a poll, channel
 * needs:   nothing
 * fails:   it cannot; each loop has a bound
 * source:  gridlock
 */
#include "sync.h"

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
