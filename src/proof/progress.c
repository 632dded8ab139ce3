#include "proof/progress.h"

#include "graph/component.h"
#include "graph/reach.h"

_Static_assert(PROOF_NOWHERE == GRAPH_NOWHERE && (int)PROOF_ITEMS == (int)GRAPH_THREADS, "its steps are a graph's");

/* --- steps --- */

/* For whom a device that keeps a model must have a place: others may not take it. */
enum keeping { KEEPS_NONE, KEEPS_LOWEST, KEEPS_LOWER, KEEPINGS };

static enum keeping keeping_of(unsigned model)
{
    static const enum keeping keepings[PROOF_PROMISES] = {
        [LITMUS_HSA] = KEEPS_LOWEST, [LITMUS_OBE] = KEEPS_NONE,   [LITMUS_HSA_OBE] = KEEPS_LOWEST,
        [LITMUS_LOBE] = KEEPS_LOWER, [LITMUS_FAIR] = KEEPS_LOWER, [PROOF_UNFAIR] = KEEPS_NONE,
    };
    return keepings[model];
}

/* The steps that places allow, of groups with fair execution under a model; LITMUS_FAIR has all that are allowed. */
struct view {
    const struct proof_graph *graph;
    unsigned places;
    enum keeping keeping;
    enum litmus_model model;
    const struct graph_reach *reach; /* others than these states have no steps; NULL: all have */
};

static uint64_t items_of(const struct proof_graph *graph, uint32_t groups)
{
    const uint64_t group = UINT64_MAX >> (PROOF_ITEMS - graph->items);
    uint64_t items = 0;

    for (; groups != 0; groups &= groups - 1)
        items |= group << (unsigned)__builtin_ctz(groups) * graph->items;
    return items;
}

static uint32_t fair_groups(const struct proof_graph *graph, enum litmus_model model, uint32_t state)
{
    return litmus_fair_threads(model, graph->groups, graph->started[state], graph->ended[state]);
}

/* Groups that may start, for all lower ones that have not ended have places beside them, and beside those that run. */
static uint32_t groups_that_fit(const struct view *view, uint32_t started, uint32_t ended)
{
    uint32_t fit = 0;

    for (unsigned group = 0; group < view->graph->groups; ++group) {
        const uint32_t reached = started | UINT32_C(1) << group;
        const uint32_t up_to = UINT32_MAX >> __builtin_clz(reached);
        fit |= (uint32_t)((unsigned)__builtin_popcount(up_to & ~ended) <= view->places) << group;
    }
    return fit;
}

/* Groups that have started, and those that may. */
static uint32_t groups_with_place(const struct view *view, uint32_t started, uint32_t ended)
{
    const unsigned held = (unsigned)__builtin_popcount(started & ~ended);
    const uint32_t lowest = ~ended & (ended + 1);

    if (held >= view->places)
        return started;
    if (view->keeping == KEEPS_LOWER)
        return started | groups_that_fit(view, started, ended);
    if (view->keeping == KEEPS_LOWEST && held + 1 == view->places && (started & lowest) == 0)
        return started | lowest;
    return UINT32_MAX;
}

static uint64_t counted(const void *context, uint32_t state)
{
    const struct view *view = context;
    const struct proof_graph *graph = view->graph;

    if (view->reach != NULL && !graph_is_reached(view->reach, state))
        return 0;
    return items_of(graph, fair_groups(graph, view->model, state) &
                               groups_with_place(view, graph->started[state], graph->ended[state]));
}

static struct graph view_graph(const struct view *view)
{
    return (struct graph){
        .count = view->graph->count,
        .threads = proof_items(view->graph),
        .steps = view->graph->steps,
        .counted = counted,
        .context = view,
    };
}

/* --- what breaks a promise --- */

/* How a launch with so many places goes on; under a model, where one is set. */
struct judge {
    const struct proof_graph *graph;
    struct view all_view, fair_view;
    struct graph all, fair;
    struct graph_reach reach;
    struct graph_components components; /* by all steps, or by those of `fair` */
};

static void set_places(struct judge *judge, const struct proof_graph *graph, unsigned places, enum keeping keeping)
{
    judge->graph = graph;
    judge->all_view = (struct view){.graph = graph, .places = places, .keeping = keeping, .model = LITMUS_FAIR};
    judge->all = view_graph(&judge->all_view);
    graph_reach_find(&judge->reach, &judge->all);
    if (judge->reach.count < graph->count)
        judge->all_view.reach = &judge->reach;
}

static void set_model(struct judge *judge, enum litmus_model model)
{
    judge->fair_view = judge->all_view;
    judge->fair_view.model = model;
    judge->fair = view_graph(&judge->fair_view);
}

static bool is_dead_end(const struct judge *judge, uint32_t state)
{
    const uint32_t groups = UINT32_MAX >> (PROOF_GROUPS - judge->graph->groups);
    return judge->graph->ended[state] != groups && graph_is_reached(&judge->reach, state) &&
           graph_moves(&judge->all, state) == 0;
}

static bool is_on_circle(const struct judge *judge, uint32_t state)
{
    return graph_component_of(&judge->components, state)->threads != 0;
}

/* Whether or not they have a step. */
static uint64_t fair_items(const struct judge *judge, uint32_t state)
{
    return items_of(judge->graph, fair_groups(judge->graph, judge->fair_view.model, state));
}

/* Everybody with fair execution has a turn on a circle through the state, or no use for one. */
static bool is_on_fair_circle(const struct judge *judge, uint32_t state)
{
    const struct graph_component *component = graph_component_of(&judge->components, state);
    return component->threads != 0 && (fair_items(judge, state) & ~component->threads & ~component->resting) == 0;
}

/* Nobody with fair execution has a step. */
static bool is_on_circle_of_others(const struct judge *judge, uint32_t state)
{
    return is_on_circle(judge, state) && graph_moves(&judge->fair, state) == 0;
}

static bool is_trap(const struct judge *judge, uint32_t state)
{
    return graph_is_trap(&judge->components, state);
}

/* Returns the place in the order in which states are reached of the first of which this is so, or their number. */
static uint32_t find_first(const struct judge *judge, bool (*is_so)(const struct judge *judge, uint32_t state))
{
    uint32_t at = 0;

    while (at < judge->reach.count && !is_so(judge, judge->reach.states[at]))
        ++at;
    return at;
}

/* Looks at states in the order of their numbers, which is the order in memory. */
static bool has(const struct judge *judge, bool (*is_so)(const struct judge *judge, uint32_t state))
{
    uint32_t state = 0;

    while (state < judge->graph->count && !is_so(judge, state))
        ++state;
    return state < judge->graph->count;
}

static void judge_fini(struct judge *judge)
{
    graph_reach_fini(&judge->reach);
    graph_components_fini(&judge->components);
}

/* --- all promises --- */

/* Which models are enough, with the places of the judge. */
struct enough {
    bool unfair, weak[LITMUS_MODELS], strong[LITMUS_MODELS];
};

/* Where all groups have a place, nobody has to keep one. */
static bool is_judged(const struct judge *judge, unsigned model)
{
    return judge->all_view.places == judge->graph->groups || judge->all_view.keeping == keeping_of(model);
}

/* By the components of all steps; `strong` is what these alone do not refute. */
static void judge_circles(struct judge *judge, struct enough *enough)
{
    const bool is_acyclic = !has(judge, is_on_circle), fair_is_strong = !has(judge, is_trap);

    if (is_judged(judge, PROOF_UNFAIR))
        enough->unfair = is_acyclic;
    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model) {
        if (!is_judged(judge, model))
            continue;
        set_model(judge, model);
        enough->weak[model] = is_acyclic || litmus_is_implied(enough->weak, model) || !has(judge, is_on_fair_circle);
        enough->strong[model] = enough->weak[model] || (fair_is_strong && !has(judge, is_on_circle_of_others));
    }
}

/* What is not enough with all steps is not enough with fewer; and what is enough with some is enough with more. */
static void judge_traps(struct judge *judge, struct enough *enough)
{
    for (enum litmus_model model = 0; model < LITMUS_FAIR; ++model) {
        if (!is_judged(judge, model) || !enough->strong[model] || enough->weak[model] ||
            litmus_is_implied(enough->strong, model))
            continue;
        set_model(judge, model);
        graph_components_find(&judge->components, &judge->fair);
        enough->strong[model] = !has(judge, is_trap);
    }
}

/* A model that keeps more places can do less, and has all turns that one that keeps fewer has. */
static void judge_places(struct judge *judge, const struct proof_graph *graph, unsigned places, struct enough *enough)
{
    *enough = (struct enough){.unfair = false};
    for (enum keeping keeping = 0; keeping < (places == graph->groups ? 1 : KEEPINGS); ++keeping) {
        set_places(judge, graph, places, keeping);
        if (has(judge, is_dead_end))
            continue;
        graph_components_find(&judge->components, &judge->all);
        judge_circles(judge, enough);
        judge_traps(judge, enough);
    }
}

void proof_progress_find(const struct proof_graph *graph, struct proof_progress *progress)
{
    struct judge judge = {.graph = graph};
    struct enough enough;

    *progress = (struct proof_progress){.groups = graph->groups};
    for (unsigned places = 1; places <= graph->groups; ++places) {
        const uint32_t bit = UINT32_C(1) << (places - 1);
        judge_places(&judge, graph, places, &enough);
        for (enum litmus_fairness fairness = 0; fairness < LITMUS_FAIRNESSES; ++fairness) {
            const bool *models = fairness == LITMUS_WEAK ? enough.weak : enough.strong;
            for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model)
                progress->ends[model][fairness] |= models[model] ? bit : 0;
            progress->ends[PROOF_UNFAIR][fairness] |= enough.unfair ? bit : 0;
        }
    }
    judge_fini(&judge);
}

/* --- counterexamples --- */

/* Returns what a circle by all steps must have to break the promise. */
static bool (*circle_of(const struct proof_promise *promise))(const struct judge *judge, uint32_t state)
{
    if (promise->model == PROOF_UNFAIR)
        return is_on_circle;
    return promise->fairness == LITMUS_WEAK ? is_on_fair_circle : is_on_circle_of_others;
}

static void find_lasso(const struct judge *judge, uint32_t start, struct proof_counterexample *example)
{
    const struct graph_component *component = graph_component_of(&judge->components, start);
    const struct graph_circle circle = {
        .graph = example->trap ? &judge->fair : &judge->all,
        .components = &judge->components,
        .start = start,
        .turns = example->fair & component->threads,
        .rests = example->fair & ~component->threads,
    };
    graph_lasso_find(&example->lasso, &judge->all, &circle);
}

/* Finds the nearest state that breaks the promise, and leaves the components there of which its circle is. */
static uint32_t find_break(struct judge *judge, const struct proof_promise *promise,
                           struct proof_counterexample *example)
{
    uint32_t trap = UINT32_MAX;

    if (promise->model != PROOF_UNFAIR && promise->fairness == LITMUS_STRONG) {
        graph_components_find(&judge->components, &judge->fair);
        trap = find_first(judge, is_trap);
    }
    graph_components_find(&judge->components, &judge->all);
    const uint32_t circle = find_first(judge, circle_of(promise));
    example->trap = trap < circle;
    if (!example->trap)
        return circle;
    graph_components_find(&judge->components, &judge->fair);
    return trap;
}

static bool find_counterexample(struct judge *judge, const struct proof_promise *promise,
                                struct proof_counterexample *example)
{
    const uint32_t at = find_break(judge, promise, example);
    const uint32_t dead_end = find_first(judge, is_dead_end);

    example->fair = 0;
    if (dead_end <= at && dead_end < judge->reach.count) {
        example->trap = false;
        graph_lasso_find_way(&example->lasso, &judge->all, judge->reach.states[dead_end]);
        return true;
    }
    if (at >= judge->reach.count)
        return false;
    const uint32_t start = judge->reach.states[at];
    if (promise->model != PROOF_UNFAIR)
        example->fair = fair_items(judge, start);
    find_lasso(judge, start, example);
    return true;
}

bool proof_counterexample_find(const struct proof_graph *graph, const struct proof_promise *promise,
                               struct proof_counterexample *example)
{
    struct judge judge = {.graph = graph};

    set_places(&judge, graph, promise->places,
               promise->places == graph->groups ? KEEPS_NONE : keeping_of(promise->model));
    set_model(&judge, promise->model == PROOF_UNFAIR ? LITMUS_FAIR : (enum litmus_model)promise->model);
    const bool found = find_counterexample(&judge, promise, example);
    judge_fini(&judge);
    return found;
}

void proof_counterexample_fini(struct proof_counterexample *example)
{
    graph_lasso_fini(&example->lasso);
}
