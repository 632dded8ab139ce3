#include "litmus/witness.h"

#include "base/alloc.h"

#include <stdlib.h>

/* --- ways --- */

/* How a state was come to. */
struct trail {
    uint32_t from; /* LITMUS_NOWHERE, or itself where the way begins */
    uint32_t thread;
    uint32_t queued; /* the states in the order in which they were found */
};

struct finder {
    const struct litmus_space *space;
    const struct litmus_components *within; /* NULL: all steps are allowed, not only those within a component */
    struct litmus_witness *witness;
    struct trail *trails;
};

/* A way ends in a state, or with a step of a thread. */
struct goal {
    uint32_t state; /* or LITMUS_NOWHERE */
    uint32_t threads;
};

static bool is_allowed(const struct finder *finder, uint32_t state, unsigned thread)
{
    const uint32_t next = litmus_space_step(finder->space, state, thread);

    if (next == LITMUS_NOWHERE)
        return false;
    if (finder->within == NULL)
        return true;
    const struct litmus_node *nodes = finder->within->nodes;
    return (nodes[state].fair >> thread & 1) != 0 && nodes[state].component == nodes[next].component;
}

/* Appends the way to a state that was found, and the step there: backwards at first. */
static void append_way(struct finder *finder, uint32_t state, unsigned thread)
{
    struct litmus_witness *witness = finder->witness;
    size_t first = witness->count;
    bool begins;

    do {
        GROW(witness->moves, witness->count);
        witness->moves[witness->count++] = (struct litmus_move){state, thread};
        begins = finder->trails[state].from == state;
        thread = finder->trails[state].thread;
        state = finder->trails[state].from;
    } while (!begins);
    for (size_t last = witness->count - 1; first < last; ++first, --last) {
        const struct litmus_move move = witness->moves[first];
        witness->moves[first] = witness->moves[last];
        witness->moves[last] = move;
    }
}

/* Appends a shortest way with at least one step, and sets *state to where it ends. */
static void append_shortest(struct finder *finder, uint32_t *state, struct goal goal)
{
    struct trail *trails = finder->trails;
    uint32_t end = 1;

    for (uint32_t i = 0; i < finder->space->count; ++i)
        trails[i].from = LITMUS_NOWHERE;
    trails[*state].from = *state;
    trails[0].queued = *state;
    for (uint32_t i = 0; i < end; ++i) {
        const uint32_t at = trails[i].queued;
        for (unsigned thread = 0; thread < finder->space->program->threads; ++thread) {
            if (!is_allowed(finder, at, thread))
                continue;
            const uint32_t next = litmus_space_step(finder->space, at, thread);
            if (next == goal.state || (goal.threads >> thread & 1) != 0) {
                *state = next;
                append_way(finder, at, thread);
                return;
            }
            if (trails[next].from != LITMUS_NOWHERE)
                continue;
            trails[next].from = at;
            trails[next].thread = thread;
            trails[end++].queued = next;
        }
    }
    abort(); /* the components are wrong */
}

/* --- cycles --- */

/* The threads that have taken a step since `start`. */
static uint32_t moved_since(const struct litmus_witness *witness, size_t start)
{
    uint32_t threads = 0;

    for (size_t i = start; i < witness->count; ++i)
        threads |= UINT32_C(1) << witness->moves[i].thread;
    return threads;
}

/* Goes to a state, and around from there until each of the fair threads has taken a step. */
static void append_cycle(struct finder *finder, uint32_t start, const struct litmus_components *components)
{
    struct litmus_witness *witness = finder->witness;
    uint32_t state = 0, missing;

    witness->count = 0;
    finder->within = NULL;
    if (start != 0)
        append_shortest(finder, &state, (struct goal){.state = start});
    finder->within = components;
    witness->cycle = witness->count;
    while ((missing = witness->fair & ~moved_since(witness, witness->cycle)) != 0)
        append_shortest(finder, &state, (struct goal){.state = LITMUS_NOWHERE, .threads = missing});
    if (state != start || witness->count == witness->cycle)
        append_shortest(finder, &state, (struct goal){.state = start});
}

bool litmus_witness_find(struct litmus_judge *judge, enum litmus_model model, struct litmus_witness *witness)
{
    const struct litmus_space *space = &judge->space;
    const struct litmus_components *components = &judge->some;
    struct finder finder = {.space = space, .witness = witness};

    litmus_components_find(&judge->some, space, model);
    uint32_t start = litmus_find_trap(space, components);
    witness->model = model;
    witness->strong = start != LITMUS_NOWHERE;
    if (start == LITMUS_NOWHERE) {
        components = &judge->all;
        start = litmus_find_fair_cycle(judge, model);
    }
    if (start == LITMUS_NOWHERE)
        return false;
    const struct litmus_state *state = &space->states[start];
    witness->fair = litmus_fair_threads(model, space->program->threads, state->started, state->ended);
    finder.trails = xcalloc(space->count, sizeof *finder.trails);
    append_cycle(&finder, start, components);
    free(finder.trails);
    return true;
}

void litmus_witness_fini(struct litmus_witness *witness)
{
    free(witness->moves);
    *witness = (struct litmus_witness){.count = 0};
}
