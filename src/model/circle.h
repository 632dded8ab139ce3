/*
 * How a work-item goes round: the state that it had, and what it has accessed since. If it comes back to that state,
 * has changed nothing, and what it accessed is as it was, it does the same for ever, unless somebody changes one of
 * those words. Pure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CIRCLE_WORDS = 6,  /* that a circle knows; one of more accesses stands only as long as no memory changes at all */
    CIRCLE_BYTES = 16, /* of such a word at most */
};

struct circle_word {
    const volatile void *at;
    uint32_t bytes;
    unsigned char value[CIRCLE_BYTES];
};

struct circle {
    uint64_t epoch; /* of all memory, when it began */
    uint32_t words; /* CIRCLE_WORDS + 1: more than are known */
    struct circle_word word[CIRCLE_WORDS];
    size_t bytes, room; /* of the state */
    unsigned char state[];
};

/* Begins anew from this state; makes *circle, or a larger one, where it has to. The caller frees it. */
void circle_begin(struct circle **circle, const void *state, size_t bytes, uint64_t epoch);

/* Notes that the work-item accesses this now. */
void circle_note(struct circle *circle, const volatile void *at, size_t bytes);

/* Returns whether what the work-item accessed is as it was. */
bool circle_holds(const struct circle *circle, uint64_t epoch);

/* Returns whether the work-item has come back to the state, and the circle holds. */
bool circle_closes(const struct circle *circle, const void *state, size_t bytes, uint64_t epoch);
