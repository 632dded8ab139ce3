/* Who could end a wait: groups that may be the next to change what a work-item looks at. Pure. */
#pragma once

#include "proof/graph.h"

struct proof_writers {
    uint32_t groups; /* a bit each */
    uint32_t access; /* the nearest such change, an index of accesses; PROOF_NOWHERE: nobody changes it any more */
    bool all;        /* all states that can be reached without such a change were looked at */
};

/* Whose steps, from this state on, may be the first to change one of these bytes. Takes 5 bytes a state. */
void proof_writers_find(const struct proof_graph *graph, uint32_t state, uint64_t at, uint32_t bytes,
                        struct proof_writers *writers);
