#include "worker/proof.h"

#include "abi.h"
#include "base/alloc.h"
#include "core/text.h"
#include "core/word_name.h"
#include "explore/explore.h"
#include "proof/needs.h"
#include "proof/race.h"
#include "proof/reliance.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STALLS_TOLD = 6,
    WAY_STEPS = 4096,      /* of a longer way the last ones are told */
    RACE_STATES = 1u << 20 /* that are searched for races */
};

struct telling {
    const struct proof_names *names;
    const struct explored *explored;
    const struct proof_graph *graph;
    struct proof_graph whole; /* the same, where each state has all its steps */
    bool passes;              /* ways pass over confluent steps */
    struct proof_result *result;
};

/* --- steps --- */

/* Of a scenario's kernel the board is the first argument: words by which its groups synchronize have names. */
static void name_board(const struct trial *trial, uint64_t *offset, char name[WORD_NAME])
{
    const uint64_t first = (uint64_t)GL_SYNC(trial->groups) * sizeof(uint32_t);
    const uint64_t word = *offset < first ? WORD_MOST : (*offset - first) / sizeof(uint32_t);

    snprintf(name, WORD_NAME, "board");
    if (word < WORD_MOST && word_name_find(trial->work.names, (uint32_t)word, name))
        *offset %= sizeof(uint32_t);
}

static void name_argument(const struct telling *telling, uint32_t number, uint64_t *offset, char *name, size_t size)
{
    const struct subject_kernel *kernel = telling->names->kernel;

    if (kernel == NULL && number == 0)
        name_board(telling->names->trial, offset, name);
    else if (kernel != NULL && number < kernel->argument_count && kernel->arguments[number].name[0] != '\0')
        snprintf(name, size, "%s", kernel->arguments[number].name);
    else if (number != UINT32_MAX)
        snprintf(name, size, "argument %" PRIu32, number);
}

static uint32_t name_object(const struct telling *telling, uint64_t at, uint64_t *offset)
{
    const struct explored *explored = telling->explored;
    char name[SUBJECT_ARGUMENT + WORD_NAME] = "memory";

    *offset = 0;
    for (uint32_t i = 0; i < explored->object_count; ++i) {
        const struct explored_object *object = &explored->objects[i];
        if (at - object->base >= object->bytes)
            continue;
        *offset = at - object->base;
        if (object->kind == OBJECT_LOCAL)
            snprintf(name, sizeof name, "local memory of group %" PRIu32, object->number);
        else if (object->kind == OBJECT_VARIABLES)
            snprintf(name, sizeof name, "the program's variables");
        else
            name_argument(telling, object->number, offset, name, sizeof name);
        break;
    }
    return proof_result_text(telling->result, name);
}

static uint64_t value_of(const struct telling *telling, uint32_t memory, uint64_t at, uint32_t bytes)
{
    uint64_t value = 0;

    explored_read(telling->explored, memory, at, &value, bytes < sizeof value ? bytes : sizeof value);
    return value;
}

/* The step that the work-item has in this state, as it is told. */
static struct proof_told tell_step(const struct telling *telling, uint32_t state, uint32_t item)
{
    const struct proof_graph *graph = telling->graph;
    const struct proof_access *access = &graph->accesses[proof_self(graph, state, item)];
    const uint32_t next = proof_step(graph, state, item);
    struct proof_told told = {.item = item,
                              .line = proof_result_text(telling->result, telling->names->lines[access->site]),
                              .bytes = access->bytes,
                              .kind = access->kind,
                              .order = access->order,
                              .scope = access->scope,
                              .atomic = access->atomic};

    if (access->bytes == 0)
        return told;
    told.object = name_object(telling, access->at, &told.offset);
    told.before = value_of(telling, graph->memories[state], access->at, access->bytes);
    told.after =
        next == PROOF_NOWHERE ? told.before : value_of(telling, graph->memories[next], access->at, access->bytes);
    return told;
}

static void add_told(struct proof_result *result, struct proof_told told)
{
    GROW(result->told, result->told_count);
    result->told[result->told_count++] = told;
}

/* The step, and the confluent ones behind it. */
static void add_steps(const struct telling *telling, uint32_t state, uint32_t item)
{
    const struct explored *explored = telling->explored;

    add_told(telling->result, tell_step(telling, state, item));
    for (state = proof_step(telling->graph, state, item);
         state < explored->known && explored->confluent[state] != 0 && telling->passes;
         state = proof_step(telling->graph, state, item)) {
        item = explored->confluent[state] - 1u;
        add_told(telling->result, tell_step(telling, state, item));
    }
}

static uint32_t add_way(const struct telling *telling, const struct graph_lasso *lasso)
{
    struct proof_result *result = telling->result;
    struct proof_way way = {.first = result->told_count};

    for (size_t i = lasso->count > WAY_STEPS ? lasso->count - WAY_STEPS : 0; i < lasso->count; ++i) {
        if (i == lasso->circle)
            way.circle = result->told_count;
        add_steps(telling, lasso->moves[i].state, lasso->moves[i].thread);
    }
    way.count = result->told_count - way.first;
    way.circle = lasso->circle == lasso->count ? 0 : result->told_count - way.circle;
    GROW(result->ways, result->way_count);
    result->ways[result->way_count] = way;
    return result->way_count++;
}

static uint32_t add_way_to(const struct telling *telling, uint32_t state)
{
    const struct graph steps = {telling->graph->count, proof_items(telling->graph), telling->graph->steps, NULL, NULL};
    struct telling each = *telling;
    struct graph_lasso lasso = {0};

    each.passes = false; /* this way goes through all states */
    graph_lasso_find_way(&lasso, &steps, state);
    const uint32_t way = add_way(&each, &lasso);
    graph_lasso_fini(&lasso);
    return way;
}

/* --- how it stalls --- */

/* A way that is told already is told once. */
static bool is_told(const struct proof_result *result, uint32_t way)
{
    const struct proof_way *new = &result->ways[way];

    for (uint32_t i = 0; i < way; ++i) {
        const struct proof_way *old = &result->ways[i];
        if (old->count == new->count && old->circle ==
                                            new->circle &&memcmp(&result->told[old->first], &result->told[new->first],
                                                                 new->count * sizeof *result->told) == 0)
            return true;
    }
    return false;
}

static void tell_stall(const struct telling *telling, const struct proof_promise *promise)
{
    struct proof_result *result = telling->result;
    struct proof_counterexample example = {0};

    if (result->stall_count == STALLS_TOLD || proof_ends(&result->progress, promise) ||
        !proof_counterexample_find(&telling->whole, promise, &example))
        return;
    const uint32_t told = result->told_count, way = add_way(telling, &example.lasso);
    if (is_told(result, way)) {
        result->way_count = way;
        result->told_count = told;
    } else {
        GROW(result->stalls, result->stall_count);
        result->stalls[result->stall_count++] = (struct proof_stall){*promise, way, example.fair};
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
    difference.object = name_object(telling, at, &difference.offset);
    for (int i = 0; i < 2; ++i) {
        difference.values[i] = value_of(telling, memories[i], at, difference.bytes);
        difference.ways[i] = add_way_to(telling, i == 0 ? one->state : other->state);
    }
    GROW(result->differences, result->difference_count);
    result->differences[result->difference_count++] = difference;
}

static void tell_wrong(const struct telling *telling, struct proof_wrong wrong)
{
    char name[SUBJECT_ARGUMENT + WORD_NAME] = "";

    if (wrong.bytes > 0)
        name_argument(telling, wrong.object, &wrong.offset, name, sizeof name);
    wrong.object = proof_result_text(telling->result, name);
    telling->result->wrong = wrong;
}

/* Of those that come to the same result, notes may differ: it is right if all are. */
static void check_finals(const struct telling *telling, const struct final *finals, size_t count)
{
    struct proof_result *result = telling->result;
    const struct proof_check *check = telling->names->check;
    uint32_t wrong = UINT32_MAX;

    result->finals_checked = check != NULL;
    for (size_t i = 0; check != NULL && i < count; ++i) {
        if (i > 0 && (finals[i].whole == finals[i - 1].whole || finals[i].memory == wrong))
            continue;
        struct proof_wrong found = {.bytes = 0};
        explored_load(telling->explored, finals[i].whole);
        if (check->is_right(check, &found))
            continue;
        wrong = finals[i].memory;
        if (result->wrong_finals++ > 0)
            continue;
        found.way = add_way_to(telling, finals[i].state);
        tell_wrong(telling, found);
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

static void tell_race(const struct telling *telling, const struct proof_race *race)
{
    struct proof_result *result = telling->result;
    struct proof_race_told told = {.why = race->cause, .way = result->way_count};
    struct proof_way way = {.first = result->told_count, .count = race->step_count};
    uint32_t state = 0;

    for (uint32_t i = 0; i < race->step_count; ++i) {
        const struct proof_told step = tell_step(telling, state, race->steps[i]);
        if (i == race->first)
            told.first = step;
        add_told(result, step);
        state = proof_step(telling->graph, state, race->steps[i]);
    }
    told.second = tell_step(telling, state, race->items[1]);
    GROW(result->ways, result->way_count);
    result->ways[result->way_count++] = way;
    GROW(result->raced, result->raced_count);
    result->raced[result->raced_count++] = told;
}

static void tell_races(const struct telling *telling)
{
    const struct proof_graph *graph = telling->graph;
    uint32_t *places = xcalloc((size_t)graph->access_count + 1, sizeof *places);
    struct proof_races races = {.count = 0};

    for (uint32_t i = 0; i < graph->access_count; ++i)
        places[i] = graph->accesses[i].site;
    proof_find_races(graph, places, RACE_STATES, &races);
    telling->result->races = races.pairs;
    telling->result->races_known = races.complete;
    for (uint32_t i = 0; i < races.count; ++i)
        tell_race(telling, &races.all[i]);
    proof_races_fini(&races);
    free(places);
}

/* Of a way that need not be left it is not known that it cannot. */
static void leave_open(struct proof_progress *progress)
{
    for (unsigned model = 0; model < LITMUS_MODELS; ++model)
        progress->ends[model][LITMUS_STRONG] = UINT32_MAX >> (PROOF_GROUPS - progress->groups);
}

/* --- launches by lot --- */

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

static uint32_t add_walk(const struct telling *telling, const struct explored_walk *walk)
{
    struct proof_graph graph = walk->graph;
    struct telling own = *telling;
    struct graph_lasso lasso = lasso_of(walk, proof_items(telling->graph));

    graph.groups = telling->graph->groups;
    graph.items = telling->graph->items;
    graph.accesses = telling->graph->accesses;
    own.graph = &graph;
    own.passes = false;
    const uint32_t way = add_way(&own, &lasso);
    graph_lasso_fini(&lasso);
    return way;
}

/* With all groups resident, and each of them promised turns, it need not end: then less does not help either. */
static void tell_walk_stall(const struct telling *telling, const struct explored_walk *walk)
{
    struct proof_result *result = telling->result;
    const uint32_t items = proof_items(telling->graph);

    for (unsigned model = 0; model < PROOF_PROMISES; ++model)
        for (unsigned fairness = 0; fairness < LITMUS_FAIRNESSES; ++fairness)
            result->progress.ends[model][fairness] &= ~(UINT32_C(1) << (result->groups - 1));
    GROW(result->stalls, result->stall_count);
    result->stalls[result->stall_count++] =
        (struct proof_stall){.promise = {LITMUS_FAIR, LITMUS_STRONG, result->groups},
                             .way = add_walk(telling, walk),
                             .fair = UINT64_MAX >> (PROOF_ITEMS - items)};
}

static void tell_walk_end(const struct telling *telling, const struct explored_walk *walk)
{
    struct proof_result *result = telling->result;
    const struct proof_check *check = telling->names->check;
    struct proof_wrong found = {.bytes = 0};

    if (check == NULL || result->wrong_finals > 0)
        return;
    explored_load(telling->explored, walk->graph.memories[walk->graph.count - 1]);
    if (!check->is_right(check, &found)) {
        result->finals += 1;
        result->wrong_finals = 1;
        result->walk_found = true;
        found.way = add_walk(telling, walk);
        tell_wrong(telling, found);
    }
    explored_load(telling->explored, 0);
}

static void tell_walks(const struct telling *telling)
{
    const struct explored *explored = telling->explored;
    struct proof_result *result = telling->result;

    result->walked = explored->walked;
    result->walk_steps = explored->walk_steps;
    for (uint32_t i = 0; i < explored->walk_count; ++i) {
        const struct explored_walk *walk = &explored->walks[i];
        result->walk_found = result->walk_found || walk->end != WALK_ENDED;
        if (walk->end == WALK_STALLED)
            tell_walk_stall(telling, walk);
        else if (walk->end == WALK_FAULT)
            result->fault_way = add_walk(telling, walk);
        else
            tell_walk_end(telling, walk);
    }
}

/* Lines of accesses with weaker orders for which it matters that all were explored in one order. */
static void tell_reliance(const struct telling *telling)
{
    const struct proof_graph *graph = telling->graph;
    struct proof_result *result = telling->result;
    bool *relies = xcalloc((size_t)graph->access_count + 1, sizeof *relies);
    bool *named = xcalloc((size_t)telling->explored->site_count + 1, sizeof *named);

    proof_relies_on_sc(graph, RACE_STATES, relies);
    for (uint32_t i = 0; i < graph->access_count; ++i) {
        const uint32_t site = graph->accesses[i].site;
        if (!relies[i] || named[site])
            continue;
        named[site] = true;
        if (strstr(result->sequential, telling->names->lines[site]) == NULL)
            text_list(result->sequential, sizeof result->sequential, ", ", "%s", telling->names->lines[site]);
    }
    free(relies);
    free(named);
}

void proof_tell(const struct proof_names *names, struct proof_result *result)
{
    const struct explored *explored = names->explored;
    struct telling telling = {names, explored, &explored->graph, explored->graph, true, result};

    result->groups = explored->graph.groups;
    result->items = explored->graph.items;
    result->extent = explored->extent;
    result->restarts = explored->restarts;
    result->states = explored->graph.count;
    result->known = explored->known;
    result->steps = explored->steps;
    result->bytes = explored->bytes;
    result->owns = explored->graph.access_count;
    result->ignored_read = explored->ignored_read;
    proof_result_text(result, "");
    if (explored->fault[0] != '\0') {
        snprintf(result->fault, sizeof result->fault, "%s", explored->fault);
        result->fault_line = proof_result_text(result, names->fault_line);
        result->fault_way = explored->graph.count > 0 && explored->extent == PROOF_TO_FAULT
                                ? add_way_to(&telling, explored->fault_state)
                                : add_way(&telling, &(struct graph_lasso){0});
    }
    if (explored->graph.count == 0)
        return;
    telling.whole.steps = explored->whole;
    proof_progress_find(&telling.whole, &result->progress);
    if (!explored->settled)
        leave_open(&result->progress);
    tell_stalls(&telling);
    if (explored->fault[0] != '\0') /* no promise helps then */
        result->progress = (struct proof_progress){.groups = result->groups};
    tell_finals(&telling);
    tell_walks(&telling);
    tell_races(&telling);
    tell_reliance(&telling);
}
