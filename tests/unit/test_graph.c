/* Graphs of states: components, beside a naive closure, and ways that go round. */
#include "core/lots.h"
#include "graph/component.h"
#include "graph/lasso.h"
#include "graph/reach.h"

#include "harness.h"

#include <stdbool.h>
#include <string.h>

enum { STATES = 24, THREADS = GRAPH_THREADS };

static uint32_t steps[STATES * THREADS];
static uint64_t masks[STATES];
static bool leads[STATES][STATES]; /* by at least no step */
static struct graph graph;
static struct graph_components components;
static struct graph_lasso lasso;

static uint64_t mask_of(const void *context, uint32_t state)
{
    return ((const uint64_t *)context)[state];
}

static bool counts(uint32_t state, unsigned thread)
{
    return graph_step(&graph, state, thread) != GRAPH_NOWHERE && (masks[state] >> thread & 1) != 0;
}

/* --- a graph by hand --- */

static void begin(uint32_t count, uint32_t threads)
{
    graph = (struct graph){.count = count, .threads = threads, .steps = steps, .counted = mask_of, .context = masks};
    memset(steps, 0xff, sizeof steps);
    memset(masks, 0xff, sizeof masks);
}

static void add(uint32_t state, unsigned thread, uint32_t next)
{
    steps[state * graph.threads + thread] = next;
}

/* 0 -> 1 <-> 2 -> 3, which goes round; 4 leads nowhere, and thread 2 goes from 0 to it. */
static void make_small(void)
{
    begin(5, 3);
    add(0, 0, 1);
    add(0, 2, 4);
    add(1, 0, 2);
    add(2, 1, 1);
    add(2, 2, 3);
    add(3, 1, 3);
}

START_TEST(components_of_a_small_graph)
{
    make_small();
    graph_components_find(&components, &graph);
    ck_assert_uint_eq(components.count, 4);
    ck_assert_uint_eq(graph_component_number(&components, 1), graph_component_number(&components, 2));
    const struct graph_component *circle = graph_component_of(&components, 1);
    ck_assert_uint_eq(circle->threads, 3);
    ck_assert_uint_eq(circle->resting & 7, 7); /* 0 in state 2, the others in state 1 */
    ck_assert(circle->left && !graph_is_trap(&components, 1));
    ck_assert_uint_eq(graph_component_of(&components, 3)->threads, 2);
    ck_assert_uint_eq(graph_component_of(&components, 3)->resting & 7, 5);
    ck_assert(graph_is_trap(&components, 3));
    ck_assert(!graph_is_trap(&components, 0) && !graph_is_trap(&components, 4));
}
END_TEST

START_TEST(steps_that_do_not_count_are_not_there)
{
    make_small();
    masks[2] = 2;
    graph_components_find(&components, &graph);
    ck_assert_uint_eq(components.count, 4);
    ck_assert(graph_is_trap(&components, 1));
    masks[2] = 4;
    graph_components_find(&components, &graph);
    ck_assert_uint_eq(components.count, 5);
    graph.counted = NULL;
    graph_components_find(&components, &graph);
    ck_assert(!graph_is_trap(&components, 1));
}
END_TEST

START_TEST(states_come_the_nearest_first)
{
    struct graph_reach reach = {.count = 0};

    make_small();
    masks[2] = 2;
    graph_reach_find(&reach, &graph);
    ck_assert_uint_eq(reach.count, 4);
    const uint32_t expected[] = {0, 1, 4, 2};
    ck_assert_mem_eq(reach.states, expected, sizeof expected);
    ck_assert(graph_is_reached(&reach, 4) && !graph_is_reached(&reach, 3));
    graph_reach_fini(&reach);
}
END_TEST

/* --- beside a naive closure --- */

static void make_random(uint64_t *lots, uint32_t count, uint32_t threads)
{
    begin(count, threads);
    for (uint32_t state = 0; state < count; ++state)
        for (unsigned i = 0; i < 3; ++i)
            if (lots_draw_below(lots, 3) != 0)
                add(state, lots_draw_below(lots, threads), lots_draw_below(lots, count));
    for (uint32_t state = 0; state < count; ++state)
        if (lots_draw_below(lots, 4) == 0)
            masks[state] = ~(UINT64_C(1) << lots_draw_below(lots, threads));
}

static void find_closure(void)
{
    memset(leads, 0, sizeof leads);
    for (uint32_t a = 0; a < graph.count; ++a) {
        leads[a][a] = true;
        for (unsigned thread = 0; thread < graph.threads; ++thread)
            if (counts(a, thread))
                leads[a][graph_step(&graph, a, thread)] = true;
    }
    for (uint32_t middle = 0; middle < graph.count; ++middle)
        for (uint32_t a = 0; a < graph.count; ++a)
            for (uint32_t b = 0; b < graph.count; ++b)
                leads[a][b] = leads[a][b] || (leads[a][middle] && leads[middle][b]);
}

/* What is said of a state's component follows from the closure. */
static void check_component(uint32_t state)
{
    struct graph_component expected = {.threads = 0};

    for (uint32_t a = 0; a < graph.count; ++a) {
        const bool together = leads[state][a] && leads[a][state];
        harness_assert(together ==
                           (graph_component_number(&components, state) == graph_component_number(&components, a)),
                       "states %u and %u", state, a);
        for (unsigned thread = 0; together && thread < graph.threads; ++thread) {
            const uint64_t bit = UINT64_C(1) << thread;
            const bool within = counts(a, thread) && leads[graph_step(&graph, a, thread)][state];
            expected.threads |= within ? bit : 0;
            expected.resting |= counts(a, thread) ? 0 : bit;
            expected.left = expected.left || (counts(a, thread) && !within);
        }
    }
    const uint64_t all = UINT64_MAX >> (THREADS - graph.threads);
    const struct graph_component *found = graph_component_of(&components, state);
    harness_assert(found->threads == expected.threads && (found->resting & all) == expected.resting &&
                       found->left == expected.left,
                   "component of state %u", state);
}

/* A circle through all that the component has: each of its threads steps, and each other one rests. */
static unsigned check_lasso(uint32_t start)
{
    const struct graph_component *component = graph_component_of(&components, start);
    const uint64_t resting = component->resting & ~component->threads;
    uint64_t turns = 0, rests = 0;
    uint32_t state = 0;

    if (!leads[0][start] || component->threads == 0)
        return 0;
    graph_lasso_find(
        &lasso, &graph,
        &(struct graph_circle){
            .graph = &graph, .components = &components, .start = start, .turns = component->threads, .rests = resting});
    for (size_t i = 0; i < lasso.count; ++i) {
        harness_assert(lasso.moves[i].state == state && counts(state, lasso.moves[i].thread), "move %zu", i);
        harness_assert(i != lasso.circle || state == start, "it begins elsewhere");
        if (i >= lasso.circle) {
            turns |= UINT64_C(1) << lasso.moves[i].thread;
            rests |= ~graph_moves(&graph, state);
            harness_assert(leads[state][start], "it leaves the component");
        }
        state = graph_step(&graph, state, lasso.moves[i].thread);
    }
    harness_assert(state == start && lasso.count > lasso.circle, "it is no circle");
    harness_assert((component->threads & ~turns) == 0 && (resting & ~rests) == 0, "some are left out");
    return 1;
}

START_TEST(components_and_circles_of_any_graph_are_those_of_its_closure)
{
    uint64_t lots = 1;
    unsigned circles = 0;

    for (unsigned i = 0; i < 4000; ++i) {
        make_random(&lots, 1 + lots_draw_below(&lots, STATES), i % 4 == 0 ? 64 : 1 + (uint32_t)(i % 5));
        find_closure();
        graph_components_find(&components, &graph);
        for (uint32_t state = 0; state < graph.count; ++state) {
            check_component(state);
            circles += check_lasso(state);
            for (unsigned thread = 0; thread < graph.threads; ++thread)
                harness_assert(!counts(state, thread) ||
                                   graph_component_number(&components, graph_step(&graph, state, thread)) <=
                                       graph_component_number(&components, state),
                               "the order of components");
        }
    }
    ck_assert_uint_gt(circles, 1000);
}
END_TEST

/* --- the shape of ways --- */

START_TEST(a_way_is_the_shortest_and_of_lower_threads)
{
    begin(4, 2);
    add(0, 0, 1);
    add(1, 0, 2);
    add(2, 0, 3);
    add(1, 1, 3);
    add(3, 1, 0);
    add(0, 1, 1);
    graph_lasso_find_way(&lasso, &graph, 3);
    ck_assert_uint_eq(lasso.count, 2);
    ck_assert_uint_eq(lasso.circle, 2);
    ck_assert_uint_eq(lasso.moves[0].thread, 0);
    ck_assert_uint_eq(lasso.moves[1].state, 1);
    ck_assert_uint_eq(lasso.moves[1].thread, 1);
    graph_lasso_find_way(&lasso, &graph, 0);
    ck_assert_uint_eq(lasso.count, 0);
}
END_TEST

START_TEST(a_long_graph_needs_no_stack)
{
    enum { LONG = 1 << 20 };
    uint32_t *ring = malloc(LONG * sizeof *ring);

    ck_assert_ptr_nonnull(ring);
    for (uint32_t state = 0; state < LONG; ++state)
        ring[state] = (state + 1) % LONG;
    const struct graph long_graph = {.count = LONG, .threads = 1, .steps = ring};
    graph_components_find(&components, &long_graph);
    ck_assert_uint_eq(components.count, 1);
    ck_assert(graph_is_trap(&components, 0));
    ring[LONG - 1] = GRAPH_NOWHERE;
    graph_components_find(&components, &long_graph);
    ck_assert_uint_eq(components.count, LONG);
    free(ring);
}
END_TEST

HARNESS_MAIN("graph", components_of_a_small_graph, steps_that_do_not_count_are_not_there, states_come_the_nearest_first,
             components_and_circles_of_any_graph_are_those_of_its_closure, a_way_is_the_shortest_and_of_lower_threads,
             a_long_graph_needs_no_stack)
