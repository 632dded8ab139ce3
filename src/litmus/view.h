/* A program's states as a graph, by the steps of the threads that have fair execution under a model. */
#pragma once

#include "graph/component.h"
#include "graph/graph.h"
#include "litmus/model.h"
#include "litmus/space.h"

struct litmus_view {
    const struct litmus_space *space;
    enum litmus_model model; /* LITMUS_FAIR has all steps */
};

/* The view must stay there. */
struct graph litmus_view_graph(const struct litmus_view *view);

void litmus_components_find(struct graph_components *components, const struct litmus_space *space,
                            enum litmus_model model);
