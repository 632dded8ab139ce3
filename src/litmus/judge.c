#include "litmus/judge.h"

NAMING_DEFINE(litmus_fairness, enum litmus_fairness, LITMUS_FAIRNESSES, "weak", "strong");

bool litmus_is_left_in_turn(const struct litmus_judge *judge, enum litmus_model model, uint32_t state)
{
    const struct litmus_space *space = &judge->space;
    const struct litmus_state *at = &space->states[state];
    const uint64_t threads = graph_component_of(&judge->all, state)->threads;

    return threads == 0 ||
           (litmus_fair_threads(model, space->program->threads, at->started, at->ended) & ~threads) != 0;
}

uint32_t litmus_find_fair_cycle(const struct litmus_judge *judge, enum litmus_model model)
{
    for (uint32_t state = 0; state < judge->space.count; ++state)
        if (!litmus_is_left_in_turn(judge, model, state))
            return state;
    return LITMUS_NOWHERE;
}

uint32_t litmus_find_trap(const struct litmus_space *space, const struct graph_components *components)
{
    for (uint32_t state = 0; state < space->count; ++state)
        if (graph_is_trap(components, state))
            return state;
    return LITMUS_NOWHERE;
}

bool litmus_is_implied(const bool holds[LITMUS_MODELS], enum litmus_model model)
{
    if (model == LITMUS_HSA_OBE)
        return holds[LITMUS_HSA] || holds[LITMUS_OBE];
    return model > LITMUS_HSA_OBE && holds[model - 1];
}

static bool judge_strongly(struct litmus_judge *judge, enum litmus_model model)
{
    struct graph_components *components = model == LITMUS_FAIR ? &judge->all : &judge->some;

    if (model != LITMUS_FAIR)
        litmus_components_find(components, &judge->space, model);
    return litmus_find_trap(&judge->space, components) == LITMUS_NOWHERE;
}

int litmus_judge_program(struct litmus_judge *judge, const struct litmus_program *program,
                         struct litmus_verdicts *verdicts, struct error *error)
{
    if (litmus_space_explore(&judge->space, program, error) != 0)
        return -1;
    litmus_components_find(&judge->all, &judge->space, LITMUS_FAIR);
    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model) {
        verdicts->weak[model] =
            litmus_is_implied(verdicts->weak, model) || litmus_find_fair_cycle(judge, model) == LITMUS_NOWHERE;
        verdicts->strong[model] =
            verdicts->weak[model] || litmus_is_implied(verdicts->strong, model) || judge_strongly(judge, model);
    }
    return 0;
}

void litmus_judge_fini(struct litmus_judge *judge)
{
    litmus_space_fini(&judge->space);
    graph_components_fini(&judge->all);
    graph_components_fini(&judge->some);
}
