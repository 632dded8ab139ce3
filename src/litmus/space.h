/*
 * The reachable states of a program, and the steps between them. A state is the memory, where each thread is, and
 * which threads have taken a step.
 */
#pragma once

#include "base/error.h"
#include "litmus/program.h"

#include <stddef.h>
#include <stdint.h>

enum { LITMUS_STATES = 1 << 19 }; /* a program that has more is refused; all that is kept of so many is 100 MB */

#define LITMUS_NOWHERE UINT32_MAX

struct litmus_state {
    uint64_t code; /* all of it as one number */
    uint16_t started, ended;
    uint8_t memory;
    uint8_t position[LITMUS_THREADS];
};

/* All zero is an empty space; it is used again and again, for one program after the other. */
struct litmus_space {
    const struct litmus_program *program;
    struct litmus_state *states; /* the first is the initial one; each comes after one that has a step to it */
    uint32_t *steps;             /* for each state and thread: the state after its step, or LITMUS_NOWHERE if ended */
    uint32_t count;
    uint32_t capacity;
    uint32_t *slots; /* a hash table of codes: 1 + the number of a state, or 0 */
    uint32_t slot_count;
    uint64_t weights[LITMUS_THREADS];
};

/*
 * Fills in the space of a well-formed program, which must stay there. -1 with STATUS_USAGE if there are more than
 * LITMUS_STATES.
 */
int litmus_space_explore(struct litmus_space *space, const struct litmus_program *program, struct error *error);

static inline uint32_t litmus_space_step(const struct litmus_space *space, uint32_t state, unsigned thread)
{
    return space->steps[(size_t)state * space->program->threads + thread];
}

void litmus_space_fini(struct litmus_space *space);
