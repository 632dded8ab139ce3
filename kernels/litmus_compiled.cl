/*
 * kernel:  litmus_compiled
 * purpose: a litmus test, many instances of it at once, whose threads are groups: a kernel for each test
 * needs:   what the test needs, which the oracle says
 * fails:   a test stalls if the device does not give its threads what they need
 * source:  tests: Sorensen et al., OOPSLA 2021; this kernel: gridlock
 *
 * It is built with TEST=T(1,length,I(0,...)I(1,...)...)T(2,...)..., so that the compiler sees the loops of each thread:
 * in a branch for threads 0, 1, ..., or for all of equal text, a bit each.
 */
#include "litmus.h"

/* An instruction: its place in its thread, and its four parts. */
#define I(place, location, check, exchange, jump)                                                                      \
    case place:                                                                                                        \
        position = litmus_execute(&self, location, exchange) == check ? jump : place + 1;                              \
        break;

#define T(threads, length, instructions)                                                                               \
    if ((1u << self.thread & threads) != 0) {                                                                          \
        uint position = 0;                                                                                             \
        do {                                                                                                           \
            switch (position) {                                                                                        \
                instructions                                                                                           \
            }                                                                                                          \
        } while (position != length && !litmus_gives_up(&self, position));                                             \
        litmus_leave(&self, position, length);                                                                         \
        return;                                                                                                        \
    }

/* As in the kernel that reads the test from a table; there is no table here. */
kernel void litmus_compiled(global uint *pages, global const uint *slots, global const uint *codes, uint base)
{
    struct litmus_thread self;
    global uint *page = pages + base;

    LITMUS_GUARD(page);
    if (!litmus_enter(&self, page, slots))
        return;
    TEST
}
