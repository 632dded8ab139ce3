/* Litmus programs as the codes of a block (core/block.h). */
#pragma once

#include "core/block.h"
#include "litmus/program.h"

/* Adds a test to the block. False: there is no room for it. */
bool litmus_block_add(struct block *block, const struct litmus_program *program);

/* Reads the test that begins at `*at` in the codes of a checked block, and moves *at behind it. */
void litmus_block_next(const struct block *block, uint32_t *at, struct litmus_program *program);

/* The program with its threads in another order: thread i is what thread order[i] was. */
void litmus_reorder(const struct litmus_program *program, const uint8_t order[LITMUS_THREADS],
                    struct litmus_program *reordered);

/* The threads that have the text of this one, a bit each. */
uint32_t litmus_threads_alike(const struct litmus_program *program, unsigned thread);
bool litmus_has_threads_alike(const struct litmus_program *program); /* some of them have the same text */

/*
 * Can steps of the threads that have started, and not ended, lead to the end of one of them? If not, they wait for a
 * thread that has not started. True as well if so many states would have to be looked at that nobody knows.
 */
bool litmus_can_end(const struct litmus_program *program, unsigned memory, const uint8_t position[LITMUS_THREADS],
                    unsigned started, unsigned ended);
