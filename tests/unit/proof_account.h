/* The rules of progress once more, and whether counterexamples keep to them. */
#pragma once

#include "harness.h"
#include "proof/progress.h"

#include <stdbool.h>

static struct proof_progress progress;
static struct proof_counterexample example;

/* --- a second account of the rules --- */

static inline bool is_started(const struct proof_graph *graph, uint32_t state, unsigned group)
{
    return (graph->started[state] >> group & 1) != 0;
}

static inline bool is_running(const struct proof_graph *graph, uint32_t state, unsigned group)
{
    return (graph->ended[state] >> group & 1) == 0;
}

/* With this group, groups that hold places, or for which places must be kept, because they are owed turns. */
static inline unsigned places_needed(const struct proof_graph *graph, unsigned model, uint32_t state, unsigned group)
{
    const bool all_lower = model == LITMUS_LOBE || model == LITMUS_FAIR;
    const bool lowest = model == LITMUS_HSA || model == LITMUS_HSA_OBE;
    unsigned highest = group, needed = 0, lower = 0;

    for (unsigned other = 0; other < graph->groups; ++other)
        highest = is_started(graph, state, other) && other > highest ? other : highest;
    for (unsigned other = 0; other < graph->groups; ++other) {
        if (!is_running(graph, state, other))
            continue;
        needed += is_started(graph, state, other) || other == group || (all_lower && other <= highest) ||
                  (lowest && lower == 0);
        lower += 1;
    }
    return needed;
}

static inline bool is_allowed(const struct proof_graph *graph, const struct proof_promise *promise, uint32_t state,
                              unsigned item)
{
    const unsigned group = item / graph->items;

    return proof_step(graph, state, item) != PROOF_NOWHERE &&
           (is_started(graph, state, group) || places_needed(graph, promise->model, state, group) <= promise->places);
}

static inline bool is_fair_group(const struct proof_graph *graph, unsigned model, uint32_t state, unsigned group)
{
    bool lowest = true, reached = false;

    for (unsigned other = 0; other < graph->groups; ++other) {
        lowest = lowest && (other >= group || !is_running(graph, state, other));
        reached = reached || (other >= group && is_started(graph, state, other));
    }
    if (!is_running(graph, state, group) || model == PROOF_UNFAIR)
        return false;
    return model == LITMUS_FAIR || (lowest && (model == LITMUS_HSA || model == LITMUS_HSA_OBE)) ||
           (is_started(graph, state, group) && model != LITMUS_HSA) || (reached && model == LITMUS_LOBE);
}

static inline bool is_fair(const struct proof_graph *graph, unsigned model, uint32_t state, unsigned item)
{
    return is_fair_group(graph, model, state, item / graph->items);
}

static inline bool is_over(const struct proof_graph *graph, const struct proof_promise *promise, uint32_t state)
{
    bool over = true;

    for (unsigned item = 0; item < proof_items(graph); ++item)
        over = over && !is_allowed(graph, promise, state, item);
    return over;
}

static inline bool has_ended(const struct proof_graph *graph, uint32_t state)
{
    return graph->ended[state] == (1u << graph->groups) - 1;
}

/* --- counterexamples --- */

static inline void check_circle(const struct proof_graph *graph, const struct proof_promise *promise)
{
    const struct graph_lasso *lasso = &example.lasso;
    const unsigned items = proof_items(graph);
    uint64_t served = 0, stepped = 0;

    for (size_t i = lasso->circle; i < lasso->count; ++i) {
        const uint32_t state = lasso->moves[i].state;
        stepped |= UINT64_C(1) << lasso->moves[i].thread;
        for (unsigned item = 0; item < items; ++item) {
            const uint64_t bit = UINT64_C(1) << item;
            harness_assert(((example.fair & bit) != 0) == is_fair(graph, promise->model, state, item), "fair items");
            served |= is_allowed(graph, promise, state, item) ? 0 : bit;
        }
    }
    served |= stepped;
    harness_assert((example.fair & ~served) == 0, "a circle leaves an item out that has fair execution");
    harness_assert(!example.trap || (promise->fairness == LITMUS_STRONG && (stepped & ~example.fair) == 0),
                   "a trap has steps of others");
    if (promise->model != PROOF_UNFAIR && promise->fairness == LITMUS_STRONG && !example.trap)
        harness_assert((stepped & example.fair) == 0, "a circle of others has a step with fair execution");
}

static inline void check_counterexample(const struct proof_graph *graph, const struct proof_promise *promise)
{
    const struct graph_lasso *lasso = &example.lasso;
    uint32_t state = 0, start = 0;

    for (size_t i = 0; i < lasso->count; ++i) {
        start = i == lasso->circle ? state : start;
        harness_assert(lasso->moves[i].state == state, "move %zu is elsewhere", i);
        harness_assert(is_allowed(graph, promise, state, lasso->moves[i].thread), "move %zu", i);
        state = proof_step(graph, state, lasso->moves[i].thread);
    }
    if (lasso->circle < lasso->count) {
        harness_assert(state == start, "it is no circle");
        check_circle(graph, promise);
    } else {
        harness_assert(is_over(graph, promise, state) && !has_ended(graph, state), "it is no dead end");
    }
}

/* Counts circles, traps and dead ends. */
static unsigned kinds[3];

/* What is found without implications is what is said of each promise, and can be walked. */
static inline void check_counterexamples(const struct proof_graph *graph)
{
    struct proof_promise promise = {.model = 0};

    for (promise.model = 0; promise.model < PROOF_PROMISES; ++promise.model)
        for (promise.fairness = 0; promise.fairness < LITMUS_FAIRNESSES; ++promise.fairness)
            for (promise.places = 1; promise.places <= graph->groups; ++promise.places) {
                const bool found = proof_counterexample_find(graph, &promise, &example);
                harness_assert(found == !proof_ends(&progress, &promise), "model %u, %s, %u places", promise.model,
                               litmus_fairness_name(promise.fairness), promise.places);
                if (!found)
                    continue;
                check_counterexample(graph, &promise);
                ++kinds[example.lasso.circle == example.lasso.count ? 2 : example.trap];
            }
}
