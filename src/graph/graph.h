/* A graph of states, in each of which some threads can take a step to a state. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { GRAPH_THREADS = 64 };

#define GRAPH_NOWHERE UINT32_MAX

struct graph {
    uint32_t count; /* states, fewer than 2^31 - 1; the first is the initial one */
    uint32_t threads;
    const uint32_t *steps; /* of each state, for each thread: the state after its step, or GRAPH_NOWHERE */
    /* The threads whose steps count in a state, a bit each, whether they have one or not. NULL: all of them. */
    uint64_t (*counted)(const void *context, uint32_t state);
    const void *context;
};

static inline uint32_t graph_step(const struct graph *graph, uint32_t state, unsigned thread)
{
    return graph->steps[(size_t)state * graph->threads + thread];
}

/* Returns the threads that have a step that counts. */
static inline uint64_t graph_moves(const struct graph *graph, uint32_t state)
{
    uint64_t moves = 0;

    for (unsigned thread = 0; thread < graph->threads; ++thread)
        moves |= (uint64_t)(graph_step(graph, state, thread) != GRAPH_NOWHERE) << thread;
    return graph->counted != NULL ? moves & graph->counted(graph->context, state) : moves;
}
