/*
 * All programs of so many threads and instructions that can tell models of progress apart. A store is an instruction
 * that goes to the next one in any case. Each program is found once, of those such that
 *
 *  1. from each reachable state, one can be reached in which all threads have ended;
 *  2. the reachable states contain a cycle;
 *  3. a store has check 0, and writes;
 *  4. each instruction is reached, and each that is no store reads both values at some time;
 *  5. each instruction that writes has in another thread one on the same location that is no store, and is executed
 *     in some state in which it changes the location;
 *  6. each instruction that is no store has in another thread one on the same location;
 *  7. thread 0's first instruction is on location 0: renamed locations give nothing new. Threads are not renamed.
 */
#pragma once

#include "litmus/program.h"
#include "litmus/reach.h"

#include <stdbool.h>

enum { LITMUS_ENUMERATE_INSTRUCTIONS = LITMUS_REACH_INSTRUCTIONS };

enum litmus_answer { LITMUS_SEARCH, LITMUS_SKIP, LITMUS_STOP };

struct litmus_visitor {
    void *context;
    /*
     * The programs come in parts, each of those that begin alike: with `known` instructions. Says whether the part is
     * to be searched, or the enumeration ended. The parts are the same, and in the same order, in each enumeration.
     * NULL, as end_part then is: all are searched.
     */
    enum litmus_answer (*begin_part)(void *context, const struct litmus_program *program, unsigned known);
    void (*end_part)(void *context);
    /* A program; false ends the enumeration. */
    bool (*found)(void *context, const struct litmus_program *program);
};

/*
 * Enumerates the programs of 1 ... LITMUS_ENUMERATE_INSTRUCTIONS instructions in all, at least one in each thread:
 * for one lengths of threads after the other, from the shortest first thread, and for the same lengths in the order
 * of their text form.
 */
void litmus_enumerate(unsigned threads, unsigned instructions, const struct litmus_visitor *visitor);
