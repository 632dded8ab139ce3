/*
 * kernel:  occupy
 * purpose: work-groups of a second queue, which keep their places, and memory busy, beside the kernel examined
 * needs:   nothing
 * fails:   it cannot; its loop has a fuse
 * source:  gridlock
 */
#include "group.h"

/* Stays until the host sets the stop word, or the fuse blows. GL_ROUNDS: words of memory that are streamed through. */
kernel void occupy(global uint *board, global uint *memory)
{
    struct gl_self self;
    const uint words = gl_parameter(board, GL_ROUNDS);
    const uint fuse_total = gl_parameter(board, GL_FUSE_TOTAL);
    const uint items = (uint)get_global_size(0);
    uint at = (uint)get_global_id(0);
    uint polls = 0;

    gl_self_init(&self, board);
    if (self.leader)
        gl_start(&self);
    while (gl_load(board + GL_STOP) == 0 && polls < fuse_total) {
        if (words != 0) {
            memory[at % words] += polls;
            at += items;
        }
        polls = GL_TURN(polls);
        if (polls % GL_YIELD_POLLS == 0)
            gl_yield();
    }
    if (self.leader)
        gl_store(self.entry + GL_ENDED, polls < fuse_total ? GL_ENDED_STOP : GL_ENDED_TOTAL);
}
