#include "explore/walks.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "core/lots.h"
#include "explore/stepping.h"
#include "model/host.h"

#include <stdlib.h>
#include <string.h>

enum {
    WALKS_MOST = 1 << 14,
    ENDS_KEPT = 1 << 8,  /* with different memory, */
    FIRST_KEPT = 1 << 4, /* and so many whatever they end with, in which races are looked for */
    LOT_STEPS = 1 << 12, /* of a walk, by priorities, */
    ROUNDS = 1 << 10,    /* and then in turn, all of them so often */
    IN_A_ROW = 1 << 8,   /* after so many steps a work-item falls below all others */
    LOOK_STEPS = 1 << 8, /* between two looks at the clock */
};

enum went { WENT_ON, WENT_ROUND, WENT_NOWHERE /* it is given up */ };

struct walking {
    const struct walks *walks;
    struct explored *explored;
    struct explored_walk walk; /* so far */
    uint64_t lots;
    int64_t ranks[PROOF_ITEMS], lowest;
    uint32_t falls[MODEL_FALLS];
    uint32_t typical; /* steps of the last walk that ended */
    uint32_t in_a_row, last;
    /* Of each work-item since memory last changed: one of its states, and steps since. */
    uint32_t anchors[PROOF_ITEMS], quiet[PROOF_ITEMS];
    bool parked[PROOF_ITEMS]; /* it came back to that, and only would again */
    size_t begun_with, kept;  /* bytes */
    bool is_over, outdated;
};

/* --- states --- */

static uint32_t items_of(const struct walking *walking)
{
    return proof_items(&walking->explored->graph);
}

static const uint32_t *selves_at(const struct walking *walking, uint32_t state)
{
    return &walking->walk.graph.selves[(size_t)state * items_of(walking)];
}

static bool has_step(const struct walking *walking, uint32_t item)
{
    const uint32_t self = selves_at(walking, walking->walk.graph.count - 1)[item];
    return self < PROOF_WAITS && walking->explored->graph.accesses[self].kind != PROOF_MEETING;
}

static bool has_ended(const struct walking *walking)
{
    const uint32_t *selves = selves_at(walking, walking->walk.graph.count - 1);
    uint32_t running = 0;

    for (uint32_t i = 0; i < items_of(walking); ++i)
        running += selves[i] != PROOF_ENDED;
    return running == 0;
}

/* Goes on to a state, which is loaded. */
static void add_state(struct walking *walking, const uint32_t *selves, uint32_t memory)
{
    struct proof_graph *graph = &walking->walk.graph;
    const size_t items = items_of(walking), row = graph->count * items;

    if ((graph->count & (graph->count - 1)) == 0) {
        const size_t room = graph->count == 0 ? 1 : 2 * (size_t)graph->count;
        graph->selves = xrealloc(graph->selves, room * items * sizeof *graph->selves);
        graph->steps = xrealloc(graph->steps, room * items * sizeof *graph->steps);
        graph->memories = xrealloc(graph->memories, room * sizeof *graph->memories);
        graph->failed = xrealloc(graph->failed, room * sizeof *graph->failed);
    }
    memcpy(&graph->selves[row], selves, items * sizeof *selves);
    memset(&graph->steps[row], 0xff, items * sizeof *graph->steps); /* PROOF_NOWHERE */
    graph->failed[graph->count] = 0;
    graph->memories[graph->count++] = memory;
    memory_load(&stepping.memory, memory);
}

/* --- steps --- */

static bool is_within(struct walking *walking)
{
    const size_t bytes = stepping.memory.contents.used + stepping.memory.strings.used + stepping.owns.used;

    host_lives(stepping.alone + walking->explored->steps);
    walking->is_over = walking->is_over || clock_ns() > walking->walks->until_ns ||
                       bytes - walking->begun_with + walking->kept > walking->walks->bytes;
    return !walking->is_over;
}

/* It would only go round, by what is known of it since memory last changed. */
static void note_round(struct walking *walking, uint32_t item, bool changed)
{
    const uint32_t self = selves_at(walking, walking->walk.graph.count - 1)[item];

    if (changed) {
        memset(walking->parked, 0, sizeof walking->parked);
        memset(walking->quiet, 0, sizeof walking->quiet);
    }
    if (walking->quiet[item] > 0 && walking->anchors[item] == self)
        walking->parked[item] = true;
    if ((walking->quiet[item] & (walking->quiet[item] - 1)) == 0)
        walking->anchors[item] = self;
    walking->quiet[item] += 1;
}

/* The step of this work-item, which has one. */
static enum went take(struct walking *walking, uint32_t item)
{
    struct explored *explored = walking->explored;
    struct proof_graph *graph = &walking->walk.graph;
    const uint32_t state = graph->count - 1;

    if (++explored->walk_steps % LOOK_STEPS == 0 && !is_within(walking))
        return WENT_NOWHERE;
    const enum stop stop = stepping_take(selves_at(walking, state), item);
    if (stop == STOP_FAULT) {
        walking->walk.end = WALK_FAULT;
        walking->walk.item = item;
        return WENT_ROUND;
    }
    const bool is_lost = stop == STOP_LATE || stop == STOP_FAR || stepping.memory.outdated;
    walking->outdated = walking->outdated || stepping.memory.outdated;
    stepping.memory.outdated = false; /* states before this one were told apart by less than those behind it */
    if (is_lost)
        return WENT_NOWHERE;
    const uint32_t memory = memory_number(&stepping.memory);
    memory_undo(&stepping.memory);
    graph->steps[(size_t)state * items_of(walking) + item] = state + 1;
    graph->failed[state] |= (uint64_t)stepping.failed << item;
    add_state(walking, stepping.selves, memory);
    note_round(walking, item, memory != graph->memories[state]);
    return WENT_ON;
}

/* Of those that may get on, the one with the highest priority. PROOF_ITEMS: there is none. */
static uint32_t choose(const struct walking *walking)
{
    uint32_t best = PROOF_ITEMS;

    for (uint32_t item = 0; item < items_of(walking); ++item)
        if (!walking->parked[item] && has_step(walking, item) &&
            (best == PROOF_ITEMS || walking->ranks[item] > walking->ranks[best]))
            best = item;
    return best;
}

static void fall(struct walking *walking, uint32_t item, uint32_t step)
{
    bool falls = walking->in_a_row >= IN_A_ROW;

    for (uint32_t i = 0; i < MODEL_FALLS; ++i)
        falls = falls || walking->falls[i] == step;
    if (!falls)
        return;
    walking->ranks[item] = --walking->lowest;
    walking->in_a_row = 0;
}

static enum went go_by_lot(struct walking *walking)
{
    for (uint32_t step = 0; step < LOT_STEPS; ++step) {
        const uint32_t item = choose(walking);
        if (item == PROOF_ITEMS)
            return WENT_ON;
        walking->in_a_row = item == walking->last ? walking->in_a_row + 1 : 0;
        walking->last = item;
        const enum went went = take(walking, item);
        if (went != WENT_ON)
            return went;
        fall(walking, item, step);
    }
    return WENT_ON;
}

static bool is_same(const struct walking *walking, uint32_t a, uint32_t b)
{
    const struct proof_graph *graph = &walking->walk.graph;

    return graph->memories[a] == graph->memories[b] &&
           memcmp(selves_at(walking, a), selves_at(walking, b), items_of(walking) * sizeof *graph->selves) == 0;
}

/* In none of these states is memory another. */
static bool stands(const struct walking *walking, uint32_t from, uint32_t to)
{
    const uint32_t *memories = walking->walk.graph.memories;

    while (from < to && memories[from] == memories[to])
        ++from;
    return from == to;
}

/*
 * What follows is the same whenever a state has come back between two rounds (Brent's way to find that). Where memory
 * stands meanwhile, each work-item goes round by itself, so that other turns lead nowhere else. Where it changes, other
 * turns may lead out, and nothing is known.
 */
static enum went go_in_turn(struct walking *walking)
{
    struct explored_walk *walk = &walking->walk;
    uint32_t anchor = walk->graph.count - 1;

    for (uint32_t round = 1; round < ROUNDS && !has_ended(walking); ++round) {
        for (uint32_t item = 0; item < items_of(walking); ++item) {
            const enum went went = has_step(walking, item) ? take(walking, item) : WENT_ON;
            if (went != WENT_ON)
                return went;
        }
        const uint32_t state = walk->graph.count - 1;
        if (is_same(walking, anchor, state)) {
            if (!stands(walking, anchor, state))
                return WENT_NOWHERE;
            walk->end = WALK_STALLED;
            walk->circle = state - anchor;
            return WENT_ROUND;
        }
        anchor = (round & (round - 1)) == 0 ? state : anchor;
    }
    return has_ended(walking) ? WENT_ON : WENT_NOWHERE;
}

/* --- walks --- */

static void begin(struct walking *walking)
{
    walking->walk.graph.count = 0;
    walking->walk.end = WALK_ENDED;
    walking->walk.circle = 0;
    walking->lowest = walking->in_a_row = 0;
    walking->last = PROOF_ITEMS;
    memset(walking->parked, 0, sizeof walking->parked);
    memset(walking->quiet, 0, sizeof walking->quiet);
    for (uint32_t i = 0; i < items_of(walking); ++i)
        walking->ranks[i] = (int64_t)(lots_draw(&walking->lots) >> 32);
    for (uint32_t i = 0; i < MODEL_FALLS; ++i)
        walking->falls[i] = lots_draw_below(&walking->lots, walking->typical);
    memory_undo(&stepping.memory);
    add_state(walking, walking->walks->first, walking->walks->memory);
}

/* Ends with memory that one had before say nothing new. */
static bool is_new(const struct walking *walking)
{
    const struct explored *explored = walking->explored;
    const struct explored_walk *walk = &walking->walk;
    const uint32_t end = memory_visible(&stepping.memory, walk->graph.memories[walk->graph.count - 1]);

    for (uint32_t i = 0; i < explored->walk_count; ++i) {
        const struct proof_graph *other = &explored->walks[i].graph;
        if (memory_visible(&stepping.memory, other->memories[other->count - 1]) == end)
            return false;
    }
    return explored->walk_count < ENDS_KEPT;
}

static void move_state(struct walking *walking, uint32_t from, uint32_t to)
{
    struct proof_graph *graph = &walking->walk.graph;
    const size_t items = items_of(walking), bytes = items * sizeof *graph->selves;

    memmove(&graph->selves[to * items], &graph->selves[from * items], bytes);
    memmove(&graph->steps[to * items], &graph->steps[from * items], bytes);
    graph->memories[to] = graph->memories[from];
    graph->failed[to] = graph->failed[from];
    for (size_t i = to * items; i < (to + 1) * items; ++i)
        graph->steps[i] = graph->steps[i] == PROOF_NOWHERE ? PROOF_NOWHERE : to + 1;
}

/* On the way to where it stalled, or ended, those who waited went round. */
static void leave_out_circles(struct walking *walking)
{
    struct proof_graph *graph = &walking->walk.graph;
    const uint32_t end = graph->count - 1 - walking->walk.circle;
    uint32_t kept = 0;

    for (uint32_t state = 0; state < graph->count; ++state) {
        uint32_t last = state < end ? end : state;
        while (last > state && !is_same(walking, last, state))
            --last;
        state = last;
        move_state(walking, state, kept++);
    }
    graph->count = kept;
}

static void keep(struct walking *walking)
{
    struct explored *explored = walking->explored;

    leave_out_circles(walking);
    walking->kept += walking->walk.graph.count * (2 * (size_t)items_of(walking) + 1) * sizeof(uint32_t);
    GROW(explored->walks, explored->walk_count);
    explored->walks[explored->walk_count++] = walking->walk;
    walking->walk = (struct explored_walk){.circle = 0};
}

static void walk_once(struct walking *walking)
{
    begin(walking);
    enum went went = go_by_lot(walking);
    if (went == WENT_ON)
        went = go_in_turn(walking);
    if (went == WENT_NOWHERE)
        return;
    walking->is_over = went == WENT_ROUND;
    walking->typical = walking->walk.graph.count;
    walking->walk.again = went == WENT_ON && !is_new(walking);
    if (!walking->walk.again || walking->explored->walk_count < FIRST_KEPT)
        keep(walking);
}

bool walks_take(const struct walks *walks)
{
    const uint32_t most = walks->most > 0 ? walks->most : WALKS_MOST;
    struct explored *explored = walks->explored;
    struct walking walking = {.walks = walks, .explored = explored, .lots = 1, .typical = LOOK_STEPS};

    walking.begun_with = stepping.memory.contents.used + stepping.memory.strings.used + stepping.owns.used;
    stepping.until_ns = walks->until_ns;
    for (; explored->walked < most && is_within(&walking); ++explored->walked)
        walk_once(&walking);
    proof_graph_fini(&walking.walk.graph);
    return !walking.outdated;
}

bool walks_went_wrong(const struct explored *explored)
{
    return explored->walk_count > 0 && explored->walks[explored->walk_count - 1].end != WALK_ENDED;
}

void walks_forget(struct explored *explored)
{
    for (uint32_t i = 0; i < explored->walk_count; ++i)
        proof_graph_fini(&explored->walks[i].graph);
    free(explored->walks);
    explored->walks = NULL;
    explored->walk_count = explored->walked = 0;
    explored->walk_steps = 0;
}
