#include "graph/reach.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

static void add(struct graph_reach *reach, uint32_t state)
{
    if (graph_is_reached(reach, state))
        return;
    reach->bits[state / 64] |= UINT64_C(1) << state % 64;
    reach->states[reach->count++] = state;
}

void graph_reach_find(struct graph_reach *reach, const struct graph *graph)
{
    const size_t words = (size_t)graph->count / 64 + 1;

    if (reach->states == NULL) {
        reach->states = xmalloc(graph->count * sizeof *reach->states);
        reach->bits = xmalloc(words * sizeof *reach->bits);
    }
    memset(reach->bits, 0, words * sizeof *reach->bits);
    reach->count = 0;
    add(reach, 0);
    for (uint32_t i = 0; i < reach->count; ++i) {
        const uint32_t state = reach->states[i];
        for (uint64_t moves = graph_moves(graph, state); moves != 0; moves &= moves - 1)
            add(reach, graph_step(graph, state, (unsigned)__builtin_ctzll(moves)));
    }
}

void graph_reach_fini(struct graph_reach *reach)
{
    free(reach->states);
    free(reach->bits);
    *reach = (struct graph_reach){.count = 0};
}
