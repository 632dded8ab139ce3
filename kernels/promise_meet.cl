/*
 * kernel:  promise_meet
 * purpose: how many work-groups run at one time: those that begin before the first of them ends
 * needs:   nothing
 * fails:   it cannot; each group ends after `bound` turns
 * source:  gridlock
 */
#include "sync.h"

kernel void promise_meet(global uint *words, uint bound)
{
    global uint *ended = words, *met = words + 16;
    uint turn = 0;

    if (gl_load(ended) == 0) {
        gl_add(met, 1);
        while (turn < bound && gl_load(ended) == 0)
            ++turn;
    }
    gl_or(ended, 1);
}
