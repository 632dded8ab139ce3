#include "graph/lasso.h"

#include "base/alloc.h"

#include <stdbool.h>
#include <stdlib.h>

/* --- ways --- */

/* How a state was come to. */
struct trail {
    uint32_t from;   /* GRAPH_NOWHERE, or itself where the way begins */
    uint32_t queued; /* the states in the order in which they were found */
};

struct finder {
    struct graph_lasso *lasso;
    const struct graph *graph;
    const struct graph_components *within; /* NULL: all steps are allowed, not only those within a component */
    struct trail *trails;
};

/* A way ends in a state, or with a step of a thread, or where a thread has none. */
struct goal {
    uint32_t state; /* or GRAPH_NOWHERE */
    uint64_t turns, rests;
};

static bool is_allowed(const struct finder *finder, uint32_t state, uint32_t next)
{
    return finder->within == NULL ||
           graph_component_number(finder->within, state) == graph_component_number(finder->within, next);
}

static bool is_reached(const struct finder *finder, const struct goal *goal, unsigned thread, uint32_t next)
{
    return next == goal->state || (goal->turns >> thread & 1) != 0 ||
           (goal->rests != 0 && (goal->rests & ~graph_moves(finder->graph, next)) != 0);
}

/* Of the steps from a state to the next one of a way, the first. */
static unsigned thread_between(const struct finder *finder, uint32_t state, uint32_t next)
{
    uint64_t moves = graph_moves(finder->graph, state);

    while (graph_step(finder->graph, state, (unsigned)__builtin_ctzll(moves)) != next)
        moves &= moves - 1;
    return (unsigned)__builtin_ctzll(moves);
}

/* Appends the way to a state that was found, and the step there: backwards at first. */
static void append_way(struct finder *finder, uint32_t state, unsigned thread)
{
    struct graph_lasso *lasso = finder->lasso;
    size_t first = lasso->count;

    for (;;) {
        GROW(lasso->moves, lasso->count);
        lasso->moves[lasso->count++] = (struct graph_move){state, thread};
        const uint32_t from = finder->trails[state].from;
        if (from == state)
            break;
        thread = thread_between(finder, from, state);
        state = from;
    }
    for (size_t last = lasso->count - 1; first < last; ++first, --last) {
        const struct graph_move move = lasso->moves[first];
        lasso->moves[first] = lasso->moves[last];
        lasso->moves[last] = move;
    }
}

/* Finds and appends a shortest way with at least one step. Returns the number of states seen; *state is the end. */
static uint32_t search(struct finder *finder, uint32_t *state, const struct goal *goal)
{
    struct trail *trails = finder->trails;
    uint32_t end = 1;

    trails[*state].from = *state;
    trails[0].queued = *state;
    for (uint32_t i = 0; i < end; ++i) {
        const uint32_t at = trails[i].queued;
        for (uint64_t moves = graph_moves(finder->graph, at); moves != 0; moves &= moves - 1) {
            const unsigned thread = (unsigned)__builtin_ctzll(moves);
            const uint32_t next = graph_step(finder->graph, at, thread);
            if (!is_allowed(finder, at, next))
                continue;
            if (is_reached(finder, goal, thread, next)) {
                append_way(finder, at, thread);
                *state = next;
                return end;
            }
            if (trails[next].from != GRAPH_NOWHERE)
                continue;
            trails[next].from = at;
            trails[end++].queued = next;
        }
    }
    abort(); /* the components are wrong */
}

static void append_shortest(struct finder *finder, uint32_t *state, const struct goal *goal)
{
    for (uint32_t count = search(finder, state, goal); count > 0; --count)
        finder->trails[finder->trails[count - 1].queued].from = GRAPH_NOWHERE;
}

/* --- all of it --- */

static void begin(struct finder *finder, struct graph_lasso *lasso, const struct graph *graph)
{
    *finder = (struct finder){.lasso = lasso, .graph = graph};
    finder->trails = xmalloc(graph->count * sizeof *finder->trails);
    for (uint32_t i = 0; i < graph->count; ++i)
        finder->trails[i].from = GRAPH_NOWHERE;
    lasso->count = 0;
}

static void append_way_there(struct finder *finder, uint32_t goal)
{
    uint32_t state = 0;

    if (goal != 0)
        append_shortest(finder, &state, &(struct goal){.state = goal});
    finder->lasso->circle = finder->lasso->count;
}

/* What the moves since `first` have not come to yet. */
static struct goal missing_since(const struct finder *finder, const struct graph_circle *circle, size_t first)
{
    struct goal goal = {GRAPH_NOWHERE, circle->turns, circle->rests & graph_moves(circle->graph, circle->start)};

    for (size_t i = first; i < finder->lasso->count; ++i) {
        goal.turns &= ~(UINT64_C(1) << finder->lasso->moves[i].thread);
        if (goal.rests != 0)
            goal.rests &= graph_moves(circle->graph, finder->lasso->moves[i].state);
    }
    return goal;
}

static void append_circle(struct finder *finder, const struct graph_circle *circle)
{
    const struct graph_lasso *lasso = finder->lasso;
    uint32_t state = circle->start;

    for (;;) {
        struct goal goal = missing_since(finder, circle, lasso->circle);
        goal.rests &= graph_moves(circle->graph, state); /* the state that the moves have come to */
        if (goal.turns == 0 && goal.rests == 0)
            break;
        append_shortest(finder, &state, &goal);
    }
    if (state != circle->start || lasso->count == lasso->circle)
        append_shortest(finder, &state, &(struct goal){.state = circle->start});
}

void graph_lasso_find_way(struct graph_lasso *lasso, const struct graph *graph, uint32_t state)
{
    struct finder finder;

    begin(&finder, lasso, graph);
    append_way_there(&finder, state);
    free(finder.trails);
}

void graph_lasso_find(struct graph_lasso *lasso, const struct graph *graph, const struct graph_circle *circle)
{
    struct finder finder;

    begin(&finder, lasso, graph);
    append_way_there(&finder, circle->start);
    finder.graph = circle->graph;
    finder.within = circle->components;
    append_circle(&finder, circle);
    free(finder.trails);
}

void graph_lasso_fini(struct graph_lasso *lasso)
{
    free(lasso->moves);
    *lasso = (struct graph_lasso){.count = 0};
}
