#include "litmus/space.h"

#include "base/alloc.h"

#include <stdlib.h>

enum { STATES_FIRST = 1024 };

/* --- the numbers of states --- */

/*
 * The slot of a code, or that where it belongs. Small codes are their own slots, so that nothing collides in a small
 * program; they are so few that clearing the slots would take longer than the search.
 */
static uint32_t *slot_of(const struct litmus_space *space, uint64_t code)
{
    const uint32_t mask = space->slot_count - 1;
    uint32_t at = (uint32_t)(code < space->slot_count ? code : (code * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & mask;

    while (space->slots[at] != 0 && space->states[space->slots[at] - 1].code != code)
        at = (at + 1) & mask;
    return &space->slots[at];
}

/* Makes room for more states, slots for twice as many, and as many steps as the widest program could have. */
static void enlarge(struct litmus_space *space)
{
    const uint32_t capacity = space->capacity > 0 ? 2 * space->capacity : STATES_FIRST;

    space->states = xrealloc(space->states, capacity * sizeof *space->states);
    space->steps = xrealloc(space->steps, (size_t)capacity * LITMUS_THREADS * sizeof *space->steps);
    free(space->slots);
    space->slots = xcalloc((size_t)capacity * 2, sizeof *space->slots);
    space->slot_count = capacity * 2;
    space->capacity = capacity;
    for (uint32_t i = 0; i < space->count; ++i)
        *slot_of(space, space->states[i].code) = i + 1;
}

/* The number of a state, which may be new. */
static int number_of(struct litmus_space *space, const struct litmus_state *state, uint32_t *number,
                     struct error *error)
{
    uint32_t *slot = slot_of(space, state->code);

    if (*slot != 0) {
        *number = *slot - 1;
        return 0;
    }
    if (space->count == LITMUS_STATES)
        return error_set(error, STATUS_USAGE, "the program has more than %d states, the most that can be judged",
                         LITMUS_STATES);
    if (space->count == space->capacity) {
        enlarge(space);
        slot = slot_of(space, state->code);
    }
    *number = space->count;
    space->states[space->count] = *state;
    *slot = ++space->count;
    return 0;
}

/* --- exploring --- */

/* A thread's part of a code: 0 before its first step, then 1 and where it is. */
static void set_weights(struct litmus_space *space)
{
    uint64_t weight = 1 << LITMUS_LOCATIONS;

    for (unsigned thread = 0; thread < space->program->threads; ++thread) {
        space->weights[thread] = weight;
        weight *= space->program->length[thread] + 2u;
    }
}

static void start(struct litmus_space *space, const struct litmus_program *program)
{
    /* Backwards, so that each is found where it was put: no gap is before it. */
    while (space->count > 0) {
        *slot_of(space, space->states[space->count - 1].code) = 0;
        --space->count;
    }
    space->program = program;
    set_weights(space);
}

/* The state after a step of a thread that has not ended. */
static void take_step(const struct litmus_space *space, const struct litmus_state *from, unsigned thread,
                      struct litmus_state *to)
{
    const unsigned position = from->position[thread];
    const struct litmus_instruction *instruction = litmus_instruction(space->program, thread, position);
    const unsigned after = litmus_position_after(instruction, from->memory, position);
    const unsigned bit = 1u << thread;
    const uint64_t part = (from->started & bit) != 0 ? position + 1 : 0;

    *to = *from;
    to->memory = (uint8_t)litmus_memory_after(instruction, from->memory);
    to->position[thread] = (uint8_t)after;
    to->started |= (uint16_t)bit;
    if (after == space->program->length[thread])
        to->ended |= (uint16_t)bit;
    to->code = from->code - from->memory + to->memory + (after + 1 - part) * space->weights[thread];
}

/* All steps of a state. */
static int expand(struct litmus_space *space, uint32_t number, struct error *error)
{
    const unsigned threads = space->program->threads;
    const struct litmus_state from = space->states[number];
    struct litmus_state to;

    for (unsigned thread = 0; thread < threads; ++thread) {
        uint32_t next = LITMUS_NOWHERE;
        if ((from.ended >> thread & 1) == 0) {
            take_step(space, &from, thread, &to);
            if (number_of(space, &to, &next, error) != 0)
                return -1;
        }
        space->steps[(size_t)number * threads + thread] = next;
    }
    return 0;
}

int litmus_space_explore(struct litmus_space *space, const struct litmus_program *program, struct error *error)
{
    const struct litmus_state initial = {.code = 0};
    uint32_t number = 0;

    if (space->capacity == 0)
        enlarge(space);
    start(space, program);
    if (number_of(space, &initial, &number, error) != 0)
        return -1;
    for (; number < space->count; ++number)
        if (expand(space, number, error) != 0)
            return -1;
    return 0;
}

void litmus_space_fini(struct litmus_space *space)
{
    free(space->states);
    free(space->steps);
    free(space->slots);
    *space = (struct litmus_space){.count = 0};
}
