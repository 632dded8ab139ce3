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

/*
 * Polls the stop word until the host sets it or the fuse blows, which sets it for all. The first
 * group beats meanwhile, so that the host can see the kernel run.
 */
static void echo(global uint *board, global uint *entry)
{
    const uint bound = gl_load(board + GL_FUSE_TOTAL);
    const bool first = gl_group() == 0;
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
        if (first)
            gl_store(board + GL_BEAT, polls);
        if (polls % GL_YIELD_POLLS == 0)
            gl_yield();
    }
    if (ended != GL_ENDED_STOP)
        gl_or(board + GL_STOP, ended == GL_ENDED_TOTAL ? GL_STOP_TOTAL : GL_STOP_CUT);
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
