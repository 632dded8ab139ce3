#include "proof/graph.h"

#include <stdlib.h>

void proof_graph_fini(struct proof_graph *graph)
{
    free(graph->steps);
    free(graph->selves);
    free(graph->memories);
    free(graph->started);
    free(graph->ended);
    free(graph->failed);
    free(graph->accesses);
    *graph = (struct proof_graph){0};
}

uint16_t proof_fence(unsigned order, unsigned scope, unsigned spaces)
{
    const enum proof_reach most = scope >= PROOF_SCOPE_DEVICE  ? PROOF_FAR
                                  : scope >= PROOF_SCOPE_GROUP ? PROOF_NEAR
                                                               : PROOF_OWN;
    uint16_t bits = 0;

    for (unsigned space = PROOF_LOCAL; space <= PROOF_GLOBAL; ++space)
        for (unsigned reach = PROOF_OWN; reach <= most && (spaces & space) != 0; ++reach) {
            bits |= proof_acquires(order) ? proof_fence_bit(space, false, reach) : 0;
            bits |= proof_releases(order) ? proof_fence_bit(space, true, reach) : 0;
        }
    return bits;
}
