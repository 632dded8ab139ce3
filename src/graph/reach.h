/* The states that can be reached from the initial one by steps that count, the nearest first. */
#pragma once

#include "graph/graph.h"

#include <stdbool.h>
#include <stdint.h>

/* All zero is empty; it is used again and again, for graphs of the same number of states. */
struct graph_reach {
    uint32_t *states;
    uint32_t count;
    uint64_t *bits; /* of each state of the graph, a bit: it is reached */
};

static inline bool graph_is_reached(const struct graph_reach *reach, uint32_t state)
{
    return (reach->bits[state / 64] >> state % 64 & 1) != 0;
}

void graph_reach_find(struct graph_reach *reach, const struct graph *graph);

void graph_reach_fini(struct graph_reach *reach);
