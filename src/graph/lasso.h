/* A way that goes round for ever: from the initial state of a graph to a state, and from there in a circle. */
#pragma once

#include "graph/component.h"
#include "graph/graph.h"

#include <stddef.h>
#include <stdint.h>

struct graph_move {
    uint32_t state;  /* in which ... */
    unsigned thread; /* ... this thread takes a step */
};

/* All zero is empty; it is used again and again. */
struct graph_lasso {
    struct graph_move *moves;
    size_t count;
    size_t circle; /* where the circle begins in `moves`; `count` if nothing goes round */
};

struct graph_circle {
    const struct graph *graph; /* by the steps of which it goes, within a component */
    const struct graph_components *components;
    uint32_t start; /* a state of a component that has steps */
    uint64_t turns; /* threads that take a step on it, of those that have one within the component */
    uint64_t rests; /* threads that have no step in a state of it, of those of which this is so in the component */
};

/*
 * Finds the shortest way by the steps of `graph` to where the circle begins, or only to a state, and a circle that is
 * short. Of equal ways, that of the lower threads is taken.
 */
void graph_lasso_find(struct graph_lasso *lasso, const struct graph *graph, const struct graph_circle *circle);
void graph_lasso_find_way(struct graph_lasso *lasso, const struct graph *graph, uint32_t state);

void graph_lasso_fini(struct graph_lasso *lasso);
