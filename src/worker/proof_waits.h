/* What work-items wait for on the circle of a stall. */
#pragma once

#include "proof/graph.h"
#include "proof/result.h"

/* A step on a circle, which was told last. */
struct proof_circling {
    const struct proof_graph *graph;
    char *const *lines; /* of each site */
    uint32_t state, item;
    uint32_t circle; /* the circle's first step, of all that are told */
};

/* If the step changes nothing, adds to the result who could change what it looks at. */
void proof_waits_add(const struct proof_circling *step, struct proof_result *result);
