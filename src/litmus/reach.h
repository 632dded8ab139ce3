/*
 * What can be reached in a program that is still being written: instructions are added one by one, thread by thread,
 * and the last one can be taken back. A state here is the memory and where each thread is. A thread stays before its
 * first instruction that is not there yet.
 */
#pragma once

#include "litmus/program.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    LITMUS_REACH_INSTRUCTIONS = 8,                       /* of all threads together */
    LITMUS_REACH_STATES = 4 << LITMUS_REACH_INSTRUCTIONS /* memory, times length + 1 of each thread */
};

struct litmus_reach {
    const struct litmus_program *program; /* its lengths are set, its code is filled in from the first instruction */
    unsigned known;                       /* so many instructions of it are there */
    unsigned count;                       /* states that were reached; each is a number, the initial one 0 ... */
    uint16_t states[LITMUS_REACH_STATES]; /* ... in the order in which they were found */
    bool found[LITMUS_REACH_STATES];
    uint16_t next[LITMUS_REACH_STATES][LITMUS_REACH_INSTRUCTIONS];    /* the state after each thread's step */
    uint8_t position[LITMUS_REACH_STATES][LITMUS_REACH_INSTRUCTIONS]; /* where each thread is in a state */
    uint16_t weights[LITMUS_REACH_INSTRUCTIONS];
    uint8_t values[LITMUS_REACH_INSTRUCTIONS]; /* for each instruction, those that it has read: bit v is value v */
};

/* What an addition is taken back to. */
struct litmus_reach_mark {
    unsigned count;
    uint8_t values[LITMUS_REACH_INSTRUCTIONS];
};

/* Begins a program of which only the lengths are known, at most LITMUS_REACH_INSTRUCTIONS in all. */
void litmus_reach_begin(struct litmus_reach *reach, const struct litmus_program *program);

/* Adds the instruction that is next in the program's code, which is this one of this thread. */
void litmus_reach_add(struct litmus_reach *reach, unsigned thread, unsigned position, struct litmus_reach_mark *mark);

/* Takes the last addition back. */
void litmus_reach_undo(struct litmus_reach *reach, const struct litmus_reach_mark *mark);

/*
 * From each state, some way leads to one in which all threads have ended, or to one whose instructions are not all
 * there; or every way does: of a complete program, this says that the states contain no cycle.
 */
bool litmus_reach_ends(const struct litmus_reach *reach, bool by_every_way);
