/*
 * kernel:  probe
 * purpose: what a device and its driver do with a running kernel: canary, cost of a poll, channel
 * needs:   nothing
 * fails:   it cannot; each loop has a bound
 * source:  gridlock
 */
#include "group.h"

/* Polls a word that does not change, GL_FUSE_TOTAL times: what does a poll cost? */
static void poll(const struct gl_self *self)
{
    const uint bound = gl_load(self->board + GL_FUSE_TOTAL);
    uint polls = 0;
    while (polls < bound && gl_load(self->board + GL_SALT) == 0)
        ++polls;
    gl_store(self->entry + GL_POLLS, polls);
}

/*
 * Polls the stop word until the host sets it or the fuse blows, which sets it for all. The first
 * group beats meanwhile, so that the host can see the kernel run.
 */
static void echo(const struct gl_self *self)
{
    const uint bound = gl_load(self->board + GL_FUSE_TOTAL);
    const bool first = self->group == 0;
    uint ended = GL_ENDED_CUT;
    uint polls = 0;
    for (;;) {
        if (gl_load(self->board + GL_STOP) != 0) {
            ended = GL_ENDED_STOP;
            break;
        }
        if (polls >= bound) {
            ended = GL_ENDED_TOTAL;
            break;
        }
        ++polls;
        if (first)
            gl_store(self->board + GL_BEAT, polls);
        if (polls % GL_YIELD_POLLS == 0)
            gl_yield();
    }
    if (ended != GL_ENDED_STOP)
        gl_or(self->board + GL_STOP, ended == GL_ENDED_TOTAL ? GL_STOP_TOTAL : GL_STOP_CUT);
    gl_store(self->entry + GL_POLLS, polls);
    gl_store(self->entry + GL_ENDED, ended);
}

kernel void probe(global uint *board)
{
    struct gl_self self;
    gl_self_init(&self, board);
    const uint mode = gl_load(board + GL_MODE);
    if (self.leader && gl_start(&self)) {
        if (mode == GL_MODE_POLL)
            poll(&self);
        else if (mode == GL_MODE_ECHO)
            echo(&self);
        else
            gl_yield();
        gl_done(&self);
    }
}
