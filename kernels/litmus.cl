/*
 * kernel:  litmus
 * purpose: a litmus test, many instances of it at once, whose threads are groups: one kernel for all tests
 * needs:   what the test needs, which the oracle says
 * fails:   a test stalls if the device does not give its threads what they need
 * source:  tests: Sorensen et al., OOPSLA 2021; this kernel: gridlock
 */
#include "litmus.h"

/*
 * `codes` is a table of tests (core/block.h); `slots` says for each group which thread of which instance it is; the
 * launch's page begins at `base`.
 */
kernel void litmus(global uint *pages, global const uint *slots, global const uint *codes, uint base)
{
    struct litmus_thread self;
    global uint *page = pages + base;

    LITMUS_GUARD(page);
    if (!litmus_enter(&self, page, slots))
        return;
    uint at = page[GL_PAGE_TEST] + 1;
    for (uint thread = 0; thread < self.thread; ++thread)
        at += 1 + codes[at];
    const uint length = codes[at];
    uint position = 0;
    do {
        const uint code = codes[at + 1 + position];
        const uint value = litmus_execute(&self, code & 1, code >> 2 & 3);
        position = value == (code >> 1 & 1) ? code >> 4 : position + 1;
    } while (position != length && !litmus_gives_up(&self, position));
    litmus_leave(&self, position, length);
}
