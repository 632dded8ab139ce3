/* What launches by lot came to, where a launch was not explored to its end. */
#include "worker/proof_telling.h"

#include "base/alloc.h"

#include <string.h>

static struct graph_lasso lasso_of(const struct explored_walk *walk, uint32_t items)
{
    const uint32_t count = walk->graph.count - 1;
    struct graph_lasso lasso = {.moves = xcalloc((size_t)count + 1, sizeof *lasso.moves), .count = count};

    for (uint32_t state = 0; state < count; ++state) {
        uint32_t item = 0;
        while (item < items && walk->graph.steps[(size_t)state * items + item] == PROOF_NOWHERE)
            ++item;
        lasso.moves[state] = (struct graph_move){state, item};
    }
    lasso.circle = count - walk->circle;
    return lasso;
}

/* With what the walk shares with the whole graph. */
static struct proof_graph graph_of(const struct telling *telling, const struct explored_walk *walk)
{
    struct proof_graph graph = walk->graph;

    graph.groups = telling->graph->groups;
    graph.items = telling->graph->items;
    graph.accesses = telling->graph->accesses;
    graph.access_count = telling->graph->access_count;
    return graph;
}

static void tell_walk_races(const struct telling *telling, const struct explored_walk *walk)
{
    const struct proof_graph graph = graph_of(telling, walk);
    struct proof_result *result = telling->result;
    struct telling own = *telling;
    const uint32_t races = result->races;

    own.graph = &graph;
    own.passes = false;
    telling_more_races(&own);
    if (result->races > races && result->walk_found == PROOF_WALKS_FOUND_NOTHING)
        result->walk_found = PROOF_WALKS_RACED;
}

static uint32_t add_walk(const struct telling *telling, const struct explored_walk *walk)
{
    const struct proof_graph graph = graph_of(telling, walk);
    struct telling own = *telling;
    struct graph_lasso lasso = lasso_of(walk, proof_items(telling->graph));

    own.graph = &graph;
    own.passes = false;
    const uint32_t way = telling_way(&own, &lasso);
    graph_lasso_fini(&lasso);
    return way;
}

/* Groups that have ended where the walk ends; a bit each. */
static uint32_t ended_groups(const struct telling *telling, const struct explored_walk *walk)
{
    const struct proof_graph *graph = telling->graph;
    const uint32_t items = proof_items(graph);
    const uint32_t *selves = &walk->graph.selves[(size_t)(walk->graph.count - 1) * items];
    uint32_t ended = (uint32_t)((UINT64_C(1) << graph->groups) - 1);

    for (uint32_t item = 0; item < items; ++item)
        if (selves[item] != PROOF_ENDED)
            ended &= ~(UINT32_C(1) << item / graph->items);
    return ended;
}

/*
 * With all groups resident, and each of them promised turns, it need not end: then less does not help either. It is
 * told first, for it is the least short of what would be needed.
 */
static void tell_walk_stall(const struct telling *telling, const struct explored_walk *walk)
{
    struct proof_result *result = telling->result;
    const uint32_t items = proof_items(telling->graph);

    for (unsigned model = 0; model < PROOF_PROMISES; ++model)
        for (unsigned fairness = 0; fairness < LITMUS_FAIRNESSES; ++fairness)
            result->progress.ends[model][fairness] &= ~(UINT32_C(1) << (result->groups - 1));
    GROW(result->stalls, result->stall_count);
    memmove(&result->stalls[1], &result->stalls[0], result->stall_count++ * sizeof *result->stalls);
    result->stalls[0] = (struct proof_stall){.promise = {LITMUS_FAIR, LITMUS_STRONG, result->groups},
                                             .way = add_walk(telling, walk),
                                             .fair = UINT64_MAX >> (PROOF_ITEMS - items),
                                             .started = (uint32_t)((UINT64_C(1) << result->groups) - 1),
                                             .ended = ended_groups(telling, walk)};
}

static void tell_walk_end(const struct telling *telling, const struct explored_walk *walk)
{
    struct proof_result *result = telling->result;
    struct proof_wrong wrong;

    if (telling->names->check == NULL || result->wrong_finals > 0)
        return;
    const enum proof_answer answer = telling_check(telling, walk->graph.memories[walk->graph.count - 1], &wrong);
    if (answer != PROOF_IS_RIGHT)
        result->finals += 1;
    if (answer == PROOF_IS_UNKNOWN)
        result->unchecked += 1;
    if (answer == PROOF_IS_WRONG) {
        result->wrong_finals = 1;
        result->walk_found = PROOF_WALK_WENT_WRONG;
        wrong.way = add_walk(telling, walk);
        telling_wrong(telling, wrong);
    }
    explored_load(telling->explored, 0);
}

void telling_walks(const struct telling *telling)
{
    const struct explored *explored = telling->explored;
    struct proof_result *result = telling->result;

    result->walked = explored->walked;
    result->walk_steps = explored->walk_steps;
    for (uint32_t i = 0; i < explored->walk_count; ++i) {
        const struct explored_walk *walk = &explored->walks[i];
        tell_walk_races(telling, walk);
        if (walk->end != WALK_ENDED)
            result->walk_found = PROOF_WALK_WENT_WRONG;
        if (walk->end == WALK_STALLED)
            tell_walk_stall(telling, walk);
        else if (walk->end == WALK_FAULT)
            result->fault_way = add_walk(telling, walk);
        else if (!walk->again)
            tell_walk_end(telling, walk);
    }
}
