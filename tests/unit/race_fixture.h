/* The races of a small program, each of which is checked to be one that its steps lead to. */
#pragma once

#include "proof/race.h"

#include "proof_program.h"

enum { MOST = 1000000 };

static struct toy_program program;
static struct toy_graph built;
static struct proof_races races;

/* A place as item.instruction. */
static inline uint32_t place(const struct proof_race *race, unsigned i)
{
    return built.places[race->accesses[i]];
}

/* The steps lead from the first state to both accesses, and what is said of them is true. */
static inline void check_steps(const struct proof_race *race)
{
    const struct proof_graph *graph = &built.graph;
    uint32_t state = 0, first = PROOF_NOWHERE;

    for (uint32_t i = 0; i < race->step_count; ++i) {
        if (i == race->first && race->steps[i] == race->items[0])
            first = proof_self(graph, state, race->items[0]);
        state = proof_step(graph, state, race->steps[i]);
        harness_assert(state != PROOF_NOWHERE, "no step");
    }
    harness_assert(first == race->accesses[0] && proof_self(graph, state, race->items[1]) == race->accesses[1] &&
                       race->items[0] != race->items[1],
                   "other accesses");
    const struct proof_access *a = &graph->accesses[race->accesses[0]], *b = &graph->accesses[race->accesses[1]];
    harness_assert(a->at < b->at + b->bytes && b->at < a->at + a->bytes, "no bytes in common");
    harness_assert((race->cause == PROOF_NOT_INCLUSIVE) == (a->atomic && b->atomic), "another cause");
}

static inline void find(uint32_t groups, const char *text, uint32_t most)
{
    toy_parse(&program, groups, text);
    toy_explore(&built, &program);
    proof_find_races(&built.graph, built.places, most, &races);
    for (uint32_t i = 0; i < races.count; ++i)
        check_steps(&races.all[i]);
}

static inline void forget(void)
{
    proof_races_fini(&races);
    toy_forget(&built);
}
