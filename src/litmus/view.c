#include "litmus/view.h"

static uint64_t fair_threads(const void *context, uint32_t state)
{
    const struct litmus_view *view = context;
    const struct litmus_state *at = &view->space->states[state];
    return litmus_fair_threads(view->model, view->space->program->threads, at->started, at->ended);
}

struct graph litmus_view_graph(const struct litmus_view *view)
{
    return (struct graph){
        .count = view->space->count,
        .threads = view->space->program->threads,
        .steps = view->space->steps,
        .counted = view->model == LITMUS_FAIR ? NULL : fair_threads,
        .context = view,
    };
}

void litmus_components_find(struct graph_components *components, const struct litmus_space *space,
                            enum litmus_model model)
{
    const struct litmus_view view = {space, model};
    const struct graph graph = litmus_view_graph(&view);
    graph_components_find(components, &graph);
}
