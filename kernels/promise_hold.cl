/*
 * kernel:  promise_hold
 * purpose: runs until the host lets it go by a word, and adds to another one meanwhile
 * needs:   nothing
 * fails:   it cannot; each group ends after `bound` turns
 * source:  gridlock
 */
#include "sync.h"

/* The host takes part: where the device can, its scope is that of all devices. */
#if defined(GL_DIALECT_CL30)
#if defined(__opencl_c_atomic_scope_all_devices)
#define HELD_SCOPE memory_scope_all_devices
#else
#define HELD_SCOPE memory_scope_device
#endif
#define HELD(word) ((volatile global atomic_uint *)(word))
#define HELD_LOAD(word) atomic_load_explicit(HELD(word), memory_order_relaxed, HELD_SCOPE)
#define HELD_STORE(word, value) atomic_store_explicit(HELD(word), value, memory_order_relaxed, HELD_SCOPE)
#define HELD_ADD(word, value) atomic_fetch_add_explicit(HELD(word), value, memory_order_relaxed, HELD_SCOPE)
#else
#define HELD_LOAD(word) gl_load(word)
#define HELD_STORE(word, value) gl_store(word, value)
#define HELD_ADD(word, value) gl_add_relaxed(word, value)
#endif

/* The words of a launch, 16 apart: that by which the host lets it go, and those of enum held_word. */
#define HELD_WORD(number) (words + (slot * 8 + (number)) * 16)
#define HELD_GO_HOST 1
#define HELD_GO_BOUND 2

/* A group that has reached the bound ends the others as well, also those that have not begun. */
kernel void promise_hold(global uint *words, uint slot, uint bound, uint adds)
{
    uint turn = 0, go = 0;

    HELD_ADD(HELD_WORD(1), 1);
    while (turn < bound && (go = HELD_LOAD(HELD_WORD(0))) == 0) {
        ++turn;
        if (adds != 0)
            HELD_ADD(HELD_WORD(4), 1);
        if (turn % 64 == 0)
            HELD_STORE(HELD_WORD(3), turn);
    }
    if (go == 0)
        HELD_STORE(HELD_WORD(0), HELD_GO_BOUND);
    HELD_ADD(HELD_WORD(5), turn);
    HELD_ADD(HELD_WORD(go == HELD_GO_HOST ? 2 : 6), 1);
}
