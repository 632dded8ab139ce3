#include "litmus/witness.h"

/* Goes to the first state of a trap or of a fair cycle, and around from there. */
static void find_lasso(const struct litmus_judge *judge, struct litmus_witness *witness, uint32_t start)
{
    const struct litmus_view all = {&judge->space, LITMUS_FAIR};
    const struct litmus_view some = {&judge->space, witness->strong ? witness->model : LITMUS_FAIR};
    const struct graph ways = litmus_view_graph(&all), rounds = litmus_view_graph(&some);

    graph_lasso_find(&witness->lasso, &ways,
                     &(struct graph_circle){
                         .graph = &rounds,
                         .components = witness->strong ? &judge->some : &judge->all,
                         .start = start,
                         .turns = witness->fair,
                     });
}

bool litmus_witness_find(struct litmus_judge *judge, enum litmus_model model, struct litmus_witness *witness)
{
    const struct litmus_space *space = &judge->space;

    litmus_components_find(&judge->some, space, model);
    uint32_t start = litmus_find_trap(space, &judge->some);
    witness->model = model;
    witness->strong = start != LITMUS_NOWHERE;
    if (start == LITMUS_NOWHERE)
        start = litmus_find_fair_cycle(judge, model);
    if (start == LITMUS_NOWHERE)
        return false;
    const struct litmus_state *state = &space->states[start];
    witness->fair = litmus_fair_threads(model, space->program->threads, state->started, state->ended);
    find_lasso(judge, witness, start);
    return true;
}

void litmus_witness_fini(struct litmus_witness *witness)
{
    graph_lasso_fini(&witness->lasso);
}
