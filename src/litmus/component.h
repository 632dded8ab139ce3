/* Strongly connected components of a program's states: from each state of one, steps lead to each other and back. */
#pragma once

#include "base/error.h"
#include "litmus/model.h"
#include "litmus/space.h"

#include <stdbool.h>
#include <stdint.h>

struct litmus_component {
    uint16_t threads; /* those that have a step within it, a bit each; 0: it has no cycle */
    bool left;        /* a step leads out of it */
};

/* All zero is empty; it is used again and again. */
struct litmus_components {
    struct litmus_component *all;
    uint32_t count;
    struct litmus_node *nodes; /* one a state */
    uint32_t capacity;
};

/* What is kept of a state. */
struct litmus_node {
    uint32_t component;
    uint32_t order, low;    /* when it was found, and the first found of those that it leads back to */
    uint32_t below, parent; /* on the stack of those whose component is not known; on the way to it */
    uint16_t fair;          /* threads whose steps count */
    uint8_t turn;           /* the thread whose step is next */
};

/* The state's component has a step, and none that leads out of it. */
static inline bool litmus_is_trap(const struct litmus_components *components, uint32_t state)
{
    const struct litmus_component *component = &components->all[components->nodes[state].component];
    return component->threads != 0 && !component->left;
}

/*
 * Finds the components by the steps of threads that have fair execution under the model; LITMUS_FAIR has all steps.
 * (Tarjan: "Depth-first search and linear graph algorithms", SIAM J. Comput. 1, 1972.)
 */
void litmus_components_find(struct litmus_components *components, const struct litmus_space *space,
                            enum litmus_model model);

void litmus_components_fini(struct litmus_components *components);
