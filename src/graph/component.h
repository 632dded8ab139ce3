/* Strongly connected components of a graph: from each state of one, steps that count lead to each other and back. */
#pragma once

#include "graph/graph.h"

#include <stdbool.h>
#include <stdint.h>

struct graph_component {
    uint64_t threads; /* those that have a step within it, a bit each; 0: it has no cycle */
    uint64_t resting; /* those that have no step in some state of it */
    bool left;        /* a step leads out of it */
};

/* What is kept of a state. */
struct graph_node {
    uint64_t pending; /* threads whose steps were not followed yet */
    uint32_t index;   /* when the first was found of those that it leads back to; ~ its component, once that is known */
    uint32_t link : 31; /* the state before it on the way, or on the stack of those whose component is not known */
    uint32_t first : 1; /* it leads back to none found before it */
};

/* All zero is empty; it is used again and again. */
struct graph_components {
    struct graph_component *all; /* each before those that lead to it */
    uint32_t count;
    struct graph_node *nodes; /* one a state */
    uint32_t capacity;
};

static inline uint32_t graph_component_number(const struct graph_components *components, uint32_t state)
{
    return ~components->nodes[state].index;
}

static inline const struct graph_component *graph_component_of(const struct graph_components *components,
                                                               uint32_t state)
{
    return &components->all[graph_component_number(components, state)];
}

/* The state's component has a step, and none that leads out of it. */
static inline bool graph_is_trap(const struct graph_components *components, uint32_t state)
{
    const struct graph_component *component = graph_component_of(components, state);
    return component->threads != 0 && !component->left;
}

/*
 * Finds the components, in linear time. (Tarjan: "Depth-first search and linear graph algorithms", SIAM J. Comput. 1,
 * 1972; with a single number and a single link for each state, as in Pearce: "A space-efficient algorithm for finding
 * strongly connected components", Inf. Process. Lett. 116, 2016.)
 */
void graph_components_find(struct graph_components *components, const struct graph *graph);

void graph_components_fini(struct graph_components *components);
