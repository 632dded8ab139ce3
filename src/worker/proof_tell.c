#include "worker/proof.h"

#include "base/alloc.h"
#include "explore/walks.h"
#include "proof/needs.h"
#include "proof/race.h"
#include "proof/reliance.h"
#include "worker/proof_telling.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STALLS_TOLD = 6,
    RACE_STATES = 1u << 20,  /* that are searched for races, */
    FEWER_STATES = 1u << 14, /* or so many if something worse is known */
};

/* --- how it stalls --- */

/* A way that is told already is told once. */
static bool is_told(const struct proof_result *result, uint32_t way)
{
    const struct proof_way *new = &result->ways[way];

    for (uint32_t i = 0; i < way; ++i) {
        const struct proof_way *old = &result->ways[i];
        if (old->count == new->count && old->circle == new->circle &&
            old->left_out ==
                new->left_out &&memcmp(&result->told[old->first], &result->told[new->first],
                                       new->count * sizeof *result->told) == 0)
            return true;
    }
    return false;
}

/* The state in which the circle begins, or the dead end. */
static uint32_t state_of(const struct telling *telling, const struct graph_lasso *lasso)
{
    if (lasso->circle < lasso->count)
        return lasso->moves[lasso->circle].state;
    if (lasso->count == 0)
        return 0;
    return proof_step(&telling->whole, lasso->moves[lasso->count - 1].state, lasso->moves[lasso->count - 1].thread);
}

static void tell_stall(const struct telling *telling, const struct proof_promise *promise)
{
    struct proof_result *result = telling->result;
    struct proof_counterexample example = {0};

    if (result->stall_count == STALLS_TOLD || proof_ends(&result->progress, promise) ||
        !proof_counterexample_find(&telling->whole, promise, &example))
        return;
    const uint32_t told = result->told_count, waits = result->wait_count, way = telling_way(telling, &example.lasso);
    if (is_told(result, way)) {
        result->way_count = way;
        result->told_count = told;
        result->wait_count = waits;
    } else {
        const uint32_t state = state_of(telling, &example.lasso);
        GROW(result->stalls, result->stall_count);
        result->stalls[result->stall_count++] = (struct proof_stall){
            *promise, way, example.fair, telling->graph->started[state], telling->graph->ended[state]};
    }
    proof_counterexample_fini(&example);
}

/* Of what is not enough, that first which is the least short of it. */
static void tell_stalls(const struct telling *telling)
{
    struct proof_result *result = telling->result;
    struct proof_needs needs;
    struct proof_promise promise = {LITMUS_FAIR, LITMUS_STRONG, result->groups};

    proof_needs_find(&result->progress, &needs);
    tell_stall(telling, &promise);
    if (needs.count > 0 && needs.all[0].places > 1) {
        promise = needs.all[0];
        promise.places -= 1;
        tell_stall(telling, &promise);
    }
    if (needs.count > 0 && needs.all[0].fairness == LITMUS_STRONG) {
        promise = needs.all[0];
        promise.fairness = LITMUS_WEAK;
        tell_stall(telling, &promise);
    }
    for (unsigned model = LITMUS_MODELS; model-- > 0;) {
        promise = (struct proof_promise){model, LITMUS_STRONG, result->groups};
        tell_stall(telling, &promise);
    }
    if (result->stall_count == 0) {
        promise = (struct proof_promise){PROOF_UNFAIR, LITMUS_STRONG, result->groups};
        tell_stall(telling, &promise);
    }
}

/* --- what it ends with --- */

struct final {
    uint32_t memory; /* as the host sees it, */
    uint32_t whole;  /* and with all notes */
    uint32_t state;
};

static int compare_finals(const void *a, const void *b)
{
    const struct final *first = a, *second = b;
    return first->memory != second->memory ? (first->memory > second->memory) - (first->memory < second->memory)
                                           : (first->whole > second->whole) - (first->whole < second->whole);
}

static void tell_difference(const struct telling *telling, const struct final *one, const struct final *other)
{
    struct proof_result *result = telling->result;
    struct proof_difference difference = {.bytes = 4};
    const uint32_t memories[] = {one->memory, other->memory};
    uint64_t at;

    if (!explored_differ(telling->explored, one->memory, other->memory, &at))
        return;
    at -= at % difference.bytes;
    difference.object = telling_object(telling, at, &difference.offset);
    for (int i = 0; i < 2; ++i) {
        difference.values[i] = telling_value(telling, memories[i], at, difference.bytes);
        difference.ways[i] = telling_way_to(telling, i == 0 ? one->state : other->state);
    }
    GROW(result->differences, result->difference_count);
    result->differences[result->difference_count++] = difference;
}

void telling_wrong(const struct telling *telling, struct proof_wrong wrong)
{
    char name[PROOF_OBJECT_NAME] = "";

    if (wrong.bytes > 0)
        proof_name_argument(telling->names, wrong.object, &wrong.offset, name);
    wrong.object = proof_result_text(telling->result, name);
    telling->result->wrong = wrong;
}

enum proof_answer telling_check(const struct telling *telling, uint32_t memory, struct proof_wrong *wrong)
{
    *wrong = (struct proof_wrong){.bytes = 0};
    explored_load(telling->explored, memory);
    return telling->names->check->judge(telling->names->check, wrong);
}

/* Of those that come to the same result, notes may differ: it is right if all are. */
static void check_finals(const struct telling *telling, const struct final *finals, size_t count)
{
    struct proof_result *result = telling->result;
    for (size_t first = 0, at; first < count; first = at) {
        enum proof_answer answer = PROOF_IS_RIGHT;
        for (at = first; at < count && finals[at].memory == finals[first].memory; ++at) {
            if (answer == PROOF_IS_WRONG || (at > first && finals[at].whole == finals[at - 1].whole))
                continue;
            struct proof_wrong wrong;
            const enum proof_answer one = telling_check(telling, finals[at].whole, &wrong);
            if (one == PROOF_IS_WRONG && result->wrong_finals++ == 0) {
                wrong.way = telling_way_to(telling, finals[at].state);
                telling_wrong(telling, wrong);
            }
            answer = one == PROOF_IS_RIGHT ? answer : one;
        }
        result->unchecked += answer == PROOF_IS_UNKNOWN;
    }
    explored_load(telling->explored, 0);
}

static void tell_finals(const struct telling *telling)
{
    const struct proof_graph *graph = telling->graph;
    const uint32_t all = (uint32_t)((UINT64_C(1) << graph->groups) - 1);
    struct final *finals = NULL;
    size_t count = 0;

    for (uint32_t state = 0; state < telling->explored->known; ++state) {
        if (graph->ended[state] != all)
            continue;
        GROW(finals, count);
        finals[count++] =
            (struct final){explored_visible(telling->explored, graph->memories[state]), graph->memories[state], state};
    }
    if (count > 0)
        qsort(finals, count, sizeof *finals, compare_finals);
    telling->result->finals_checked = telling->names->check != NULL;
    if (telling->names->check != NULL)
        check_finals(telling, finals, count);
    size_t different = 0;
    for (size_t i = 0; i < count; ++i)
        if (i == 0 || finals[i].memory != finals[different - 1].memory)
            finals[different++] = finals[i];
    telling->result->finals = (uint32_t)different;
    if (different > 1)
        tell_difference(telling, &finals[0], &finals[1]);
    free(finals);
}

/* --- races --- */

/* Both only write, and what is there afterwards is the same. */
static bool write_the_same(const struct proof_told *first, const struct proof_told *second)
{
    return first->kind == PROOF_STORE && second->kind == PROOF_STORE && first->object == second->object &&
           first->offset == second->offset && first->bytes == second->bytes && first->bytes <= sizeof first->after &&
           first->after == second->after;
}

/* Steps up to the second access, and both; of a long way the last ones. */
static struct proof_race_told tell_race(const struct telling *telling, const struct proof_race *race)
{
    struct proof_result *result = telling->result;
    struct proof_race_told told = {.why = race->cause, .way = result->way_count};
    struct proof_way way = {.first = result->told_count};
    uint32_t state = 0;

    way.left_out = race->step_count > TELLING_STEPS ? race->step_count - TELLING_STEPS : 0;
    way.count = race->step_count - way.left_out;
    for (uint32_t i = 0; i < race->step_count; ++i) {
        const struct proof_told step = telling_step(telling, state, race->steps[i]);
        if (i == race->first)
            told.first = step;
        if (i >= way.left_out)
            telling_add(result, step);
        state = proof_step(telling->graph, state, race->steps[i]);
    }
    told.second = telling_step(telling, state, race->items[1]);
    told.same =
        proof_step(telling->graph, state, race->items[1]) != PROOF_NOWHERE && write_the_same(&told.first, &told.second);
    GROW(result->ways, result->way_count);
    result->ways[result->way_count++] = way;
    return told;
}

/* To who reads it: a compiler may have made several places of one. */
static bool is_alike(const struct proof_told *a, const struct proof_told *b)
{
    return a->line == b->line && a->object == b->object && a->kind == b->kind;
}

static bool is_told_race(const struct proof_result *result, const struct proof_race_told *race)
{
    for (uint32_t i = 0; i < result->raced_count; ++i) {
        const struct proof_race_told *told = &result->raced[i];
        if ((is_alike(&told->first, &race->first) && is_alike(&told->second, &race->second)) ||
            (is_alike(&told->first, &race->second) && is_alike(&told->second, &race->first)))
            return true;
    }
    return false;
}

/* Returns whether nothing like it was told before. */
static bool add_race(const struct telling *telling, const struct proof_race *race)
{
    struct proof_result *result = telling->result;
    const uint32_t told_count = result->told_count;
    const struct proof_race_told told = tell_race(telling, race);

    if (is_told_race(result, &told)) {
        result->told_count = told_count;
        result->way_count -= 1;
        return false;
    }
    GROW(result->raced, result->raced_count);
    result->raced[result->raced_count++] = told;
    /* Those of one group would be there in a larger one, too, but have other places among all. */
    result->numbers_made_up += telling->names->for_one_size && !telling->graph->accesses[race->accesses[1]].is_local;
    return true;
}

static struct proof_races find_races(const struct proof_graph *graph, uint32_t most)
{
    uint32_t *places = xcalloc((size_t)graph->access_count + 1, sizeof *places);
    struct proof_races races;

    for (uint32_t i = 0; i < graph->access_count; ++i)
        places[i] = graph->accesses[i].site;
    proof_find_races(graph, places, most, &races);
    free(places);
    return races;
}

static void tell_races(const struct telling *telling)
{
    const bool is_wrong = telling->result->fault[0] != '\0' || walks_went_wrong(telling->explored);
    struct proof_races races = find_races(telling->graph, is_wrong ? FEWER_STATES : RACE_STATES);

    telling->result->races = races.pairs;
    telling->result->races_known = races.complete;
    for (uint32_t i = 0; i < races.count; ++i)
        telling->result->races -= !add_race(telling, &races.all[i]);
    proof_races_fini(&races);
}

void telling_more_races(const struct telling *telling)
{
    struct proof_races races = find_races(telling->graph, RACE_STATES);

    for (uint32_t i = 0; i < races.count && telling->result->raced_count < PROOF_RACES; ++i)
        telling->result->races += add_race(telling, &races.all[i]);
    proof_races_fini(&races);
}

/* Of a way that need not be left it is not known that it cannot. */
static void leave_open(struct proof_progress *progress)
{
    for (unsigned model = 0; model < LITMUS_MODELS; ++model)
        progress->ends[model][LITMUS_STRONG] = UINT32_MAX >> (PROOF_GROUPS - progress->groups);
}

/* Lines of accesses with weaker orders for which it matters that all were explored in one order. */
static void tell_reliance(const struct telling *telling)
{
    const struct proof_graph *graph = telling->graph;
    bool *relies = xcalloc((size_t)graph->access_count + 1, sizeof *relies);
    bool *sites = xcalloc((size_t)telling->explored->site_count + 1, sizeof *sites);

    proof_relies_on_sc(graph, RACE_STATES, relies);
    for (uint32_t i = 0; i < graph->access_count; ++i)
        sites[graph->accesses[i].site] |= relies[i];
    char *lines = proof_name_lines(telling->names, sites);
    telling->result->sequential = proof_result_text(telling->result, lines);
    free(lines);
    free(relies);
    free(sites);
}

/* PROOF_NOWHERE: no way to it is known. */
static void tell_fault(struct telling *telling, const char *what, const char *line, uint32_t state)
{
    struct proof_result *result = telling->result;

    snprintf(result->fault, sizeof result->fault, "%s", what);
    result->fault_line = proof_result_text(result, line);
    result->fault_way =
        state != PROOF_NOWHERE ? telling_way_to(telling, state) : telling_way(telling, &(struct graph_lasso){0});
}

static void tell_unwritten(struct telling *telling)
{
    const struct explored *explored = telling->explored;

    tell_fault(telling, explored->unwritten, telling->names->lines[explored->unwritten_site],
               explored->unwritten_state);
    telling->result->numbers_made_up += telling->names->for_one_size;
}

void proof_tell(const struct proof_names *names, struct proof_result *result)
{
    const struct explored *explored = names->explored;
    struct telling telling = {.names = names,
                              .explored = explored,
                              .graph = &explored->graph,
                              .whole = explored->graph,
                              .passes = true,
                              .result = result};

    result->groups = result->progress.groups = explored->graph.groups;
    result->items = explored->items;
    result->extent = explored->extent;
    result->states = explored->graph.count;
    result->known = explored->known;
    result->steps = explored->steps;
    result->bytes = explored->bytes;
    result->ignored_read = explored->ignored_read;
    if (explored->fault[0] != '\0')
        tell_fault(&telling, explored->fault, names->fault_line,
                   explored->graph.count > 0 && explored->extent == PROOF_TO_FAULT ? explored->fault_state
                                                                                   : PROOF_NOWHERE);
    result->numbers_made_up += names->for_other_values;
    if (explored->graph.count == 0)
        return;
    telling.whole.steps = explored->whole;
    proof_progress_find(&telling.whole, &result->progress);
    if (!explored->settled)
        leave_open(&result->progress);
    tell_stalls(&telling);
    if (explored->conflict.is_race) {
        telling_conflict(&telling);
    } else {
        tell_finals(&telling);
        tell_races(&telling);
    }
    if (explored->unwritten[0] != '\0' && result->fault[0] == '\0' && result->races == 0)
        tell_unwritten(&telling);
    if (result->fault[0] != '\0') /* no promise helps then */
        result->progress = (struct proof_progress){.groups = result->groups};
    telling_walks(&telling);
    tell_reliance(&telling);
    telling_growing(&telling);
}
