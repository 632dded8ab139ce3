#include "proof/graph.h"

#include <stdlib.h>

void proof_graph_fini(struct proof_graph *graph)
{
    free(graph->steps);
    free(graph->selves);
    free(graph->memories);
    free(graph->started);
    free(graph->ended);
    free(graph->accesses);
    *graph = (struct proof_graph){0};
}
