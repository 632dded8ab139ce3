#include "explore/explore.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "core/lots.h"
#include "explore/explored.h"
#include "explore/fault.h"
#include "explore/ignored.h"
#include "explore/large.h"
#include "model/host.h"

#include <stdlib.h>
#include <string.h>

enum {
    WALK_STEPS = 1 << 12, /* by lot, which show most of what is shared */
    WALKS = 4,
    LOOK_STATES = 1 << 8, /* between two looks at the bounds */
};

uint32_t exploring_ended(const struct proof_graph *graph, const uint32_t *selves)
{
    uint32_t ended = 0;

    for (uint32_t group = 0; group < graph->groups; ++group) {
        uint32_t running = 0;
        for (uint32_t i = 0; i < graph->items; ++i)
            running += selves[group * graph->items + i] != PROOF_ENDED;
        ended |= (uint32_t)(running == 0) << group;
    }
    return ended;
}

/* What the last step has come to, with the groups that have taken one. */
static uint32_t add_state(struct exploring *exploring, uint32_t started)
{
    const uint32_t ended = exploring_ended(&exploring->explored->graph, stepping.selves);
    return states_add(&exploring->states, stepping.selves, memory_number(&stepping.memory), started, ended);
}

bool exploring_goes_on(struct exploring *exploring, enum stop stop, uint32_t state)
{
    struct explored *explored = exploring->explored;

    ++explored->steps;
    if (explored->unwritten[0] != '\0' && explored->unwritten_state == PROOF_NOWHERE)
        explored->unwritten_state = state;
    if (stop == STOP_FAULT) {
        explored->extent = PROOF_TO_FAULT;
        explored->fault_state = state;
        return false;
    }
    if (stop == STOP_FAR || stop == STOP_LATE) {
        explored->extent = stop == STOP_FAR ? PROOF_LEFT_ALONE : PROOF_TO_TIME;
        return false;
    }
    return !stepping.memory.outdated;
}

static void add_first(struct exploring *exploring)
{
    const uint32_t ended = exploring_ended(&exploring->explored->graph, exploring->first);
    states_add(&exploring->states, exploring->first, exploring->memory, 0, ended);
}

/* Goes to the first state, and adds it. */
static bool begin(struct exploring *exploring)
{
    if (!exploring_goes_on(exploring, stepping_first(EXPLORE_ALONE_MOST), 0))
        return false;
    memcpy(exploring->first, stepping.selves, run.item_count * sizeof *exploring->first);
    exploring->memory = memory_number(&stepping.memory);
    memory_undo(&stepping.memory);
    add_first(exploring);
    return true;
}

/* The step of this item; *next is PROOF_NOWHERE if it has none. */
static bool step(struct exploring *exploring, uint32_t state, uint32_t item, uint32_t *next)
{
    struct proof_graph *graph = &exploring->explored->graph;
    const uint32_t self = proof_self(graph, state, item);

    *next = PROOF_NOWHERE;
    if (self >= PROOF_WAITS)
        return true;
    const uint32_t *selves = &graph->selves[(size_t)state * proof_items(graph)];
    if (!exploring_goes_on(exploring, stepping_take(selves, item), state))
        return false;
    graph->failed[state] |= (uint64_t)stepping.failed << item;
    *next = add_state(exploring, graph->started[state] | UINT32_C(1) << item / graph->items);
    memory_undo(&stepping.memory);
    return true;
}

/* One way through the launch, by lot. */
static bool walk(struct exploring *exploring, uint64_t *lots)
{
    const struct proof_graph *graph = &exploring->explored->graph;
    uint32_t state = 0, next;

    for (uint32_t steps = 0; steps < WALK_STEPS; ++steps) {
        memory_load(&stepping.memory, graph->memories[state]);
        const uint32_t item = lots_draw_below(lots, proof_items(graph));
        if (!step(exploring, state, item, &next))
            return false;
        state = next == PROOF_NOWHERE ? state : next;
    }
    return true;
}

static size_t size_of(const struct exploring *exploring)
{
    return states_size(&exploring->states) + memory_size(&stepping.memory) + interned_size(&stepping.owns) +
           futures_size(&stepping.futures) + stepping.access_room * sizeof(struct proof_access);
}

static bool is_within(struct exploring *exploring, uint32_t state)
{
    struct explored *explored = exploring->explored;

    if (state % LOOK_STATES != 0)
        return true;
    host_lives(stepping.alone + explored->steps);
    if (size_of(exploring) > exploring->bounds->bytes)
        explored->extent = PROOF_TO_MEMORY;
    else if (clock_ns() > exploring->bounds->until_ns)
        explored->extent = PROOF_TO_TIME;
    return explored->extent == PROOF_ALL;
}

void exploring_note_confluent(struct exploring *exploring, uint32_t state, uint32_t item)
{
    struct explored *explored = exploring->explored;

    if (state >= exploring->room) {
        exploring->room = 2 * state + LOOK_STATES;
        explored->confluent = xrealloc(explored->confluent, exploring->room);
    }
    explored->confluent[state] = (uint8_t)item;
}

/*
 * The step of a group that runs and goes on running, which is confluent, and leads to a state behind this one, so that
 * no circle consists of such steps alone: others are not left out for ever. PROOF_ITEMS: there is none, or, if *goes_on
 * becomes false, nothing goes on.
 */
static uint32_t find_confluent(struct exploring *exploring, uint32_t state, bool *goes_on)
{
    struct proof_graph *graph = &exploring->explored->graph;
    const uint32_t items = proof_items(graph);

    for (uint32_t item = 0; item < items; ++item) {
        uint32_t next;
        if ((graph->started[state] >> item / graph->items & 1) == 0 || proof_self(graph, state, item) >= PROOF_WAITS ||
            !futures_allow(&stepping.futures, graph, &graph->selves[(size_t)state * items], item))
            continue;
        *goes_on = step(exploring, state, item, &next);
        if (!*goes_on)
            return PROOF_ITEMS;
        if (next <= state || graph->ended[next] != graph->ended[state])
            continue;
        for (uint32_t i = 0; i < items; ++i)
            graph->steps[(size_t)state * items + i] = i == item ? next : PROOF_NOWHERE;
        return item;
    }
    return PROOF_ITEMS;
}

static bool expand(struct exploring *exploring, uint32_t state)
{
    struct proof_graph *graph = &exploring->explored->graph;
    bool goes_on = true;

    memory_load(&stepping.memory, graph->memories[state]);
    const uint32_t confluent = find_confluent(exploring, state, &goes_on);
    exploring_note_confluent(exploring, state, confluent == PROOF_ITEMS ? 0 : confluent + 1);
    for (uint32_t item = 0; goes_on && confluent == PROOF_ITEMS && item < proof_items(graph); ++item) {
        uint32_t next;
        goes_on = step(exploring, state, item, &next);
        graph->steps[(size_t)state * proof_items(graph) + item] = next;
    }
    return goes_on;
}

void exploring_restart(struct exploring *exploring)
{
    stepping_restart();
    states_clear(&exploring->states);
    exploring->explored->known = 0;
}

/* All states, the nearest first. */
static bool search(struct exploring *exploring)
{
    struct explored *explored = exploring->explored;
    struct proof_graph *graph = &explored->graph;

    for (uint32_t state = 0; state < graph->count; explored->known = ++state) {
        if (!is_within(exploring, state))
            return false;
        if (large_is_enough(exploring, state))
            return false;
        if (!expand(exploring, state))
            return false;
    }
    return true;
}

/* Again, until all steps that were taken for confluent are so by all that was seen. */
static void search_all(struct exploring *exploring)
{
    const struct proof_graph *graph = &exploring->explored->graph;

    memory_undo(&stepping.memory);
    futures_learn(&stepping.futures, graph);
    do {
        states_clear(&exploring->states);
        exploring->explored->known = 0;
        if (exploring->explored->unwritten_state != 0) /* that is found again, as the state is */
            exploring->explored->unwritten[0] = '\0';
        add_first(exploring);
        exploring->explored->settled = !search(exploring) ? false : !futures_learn(&stepping.futures, graph);
    } while (!exploring->explored->settled && exploring->explored->extent == PROOF_ALL && !exploring->settles &&
             !stepping.memory.outdated);
}

/* True: it is over, whether all was explored or not. */
static bool attempt(struct exploring *exploring)
{
    uint64_t lots = 1;

    exploring_restart(exploring);
    stepping_scout();
    if (stepping.memory.outdated)
        return false;
    exploring_restart(exploring);
    if (!begin(exploring))
        return !stepping.memory.outdated;
    fault_hurry(true);
    for (uint32_t i = 0; i < WALKS; ++i)
        if (!walk(exploring, &lots))
            break;
    fault_hurry(false);
    exploring->explored->fault[0] = '\0'; /* that was on the way is found again, by a shorter one */
    exploring->explored->fault_kind = FAULT_ANY;
    if (stepping.memory.outdated)
        return false;
    exploring->explored->extent = PROOF_ALL;
    search_all(exploring);
    return !stepping.memory.outdated;
}

static void explore_all(struct exploring *exploring)
{
    large_look(exploring);
    while (!attempt(exploring))
        ;
    if (exploring->settles)
        large_settle(exploring);
}

static void explore_launch(void *context)
{
    struct exploring *exploring = context;
    struct explored *explored = exploring->explored;
    struct machine_region ignored[EXPLORE_IGNORED];

    explored->graph.groups = run.order.groups;
    explored->graph.items = explored->items = run.space.items;
    exploring->states.graph = &explored->graph;
    explored_describe(explored);
    stepping_begin(explored, ignored, ignored_find(exploring->bounds, explored, ignored));
    stepping.until_ns = exploring->bounds->until_ns;
    stepping.alone_ns = exploring->bounds->alone_ns;
    stepping.memory.ignores_read = exploring->bounds->ignores_read;
    if (exploring->bounds->has_notes)
        stepping.memory.notes = ignored_find_notes(explored);
    exploring->first = xcalloc(run.item_count, sizeof *exploring->first);
    if (run.item_count > PROOF_ITEMS)
        large_settle(exploring);
    else
        explore_all(exploring);
    explored->bytes = size_of(exploring);
    large_walk_on(exploring);
    explored_keep(explored);
    free(exploring->first);
    stepping_fini();
    states_fini(&exploring->states);
}

static int refuse(uint64_t groups, uint64_t items, struct error *error)
{
    return error_set(error, STATUS_UNSUPPORTED,
                     "%llu groups of %llu work-items: all schedules are explored of 1 to %d groups, and %d work-items, "
                     "or %d that keep apart",
                     (unsigned long long)groups, (unsigned long long)items, PROOF_GROUPS, PROOF_ITEMS,
                     PROOF_ITEMS_APART);
}

int explore(const struct machine_launch *launch, const struct explore_bounds *bounds, struct explored *explored,
            struct error *error)
{
    struct machine_launch all = *launch;
    uint64_t groups = 1, items = 1;
    struct exploring exploring = {.explored = explored, .bounds = bounds};

    *explored = (struct explored){.extent = PROOF_ALL};
    for (int i = 0; i < 3; ++i) {
        groups *= launch->global[i] / launch->local[i];
        items *= launch->local[i];
    }
    if (launch->device.sub_groups > 0)
        return error_set(error, STATUS_UNSUPPORTED, "schedules of sub-groups are not explored: leave out sub-groups=%u",
                         launch->device.sub_groups);
    if (groups == 0 || groups > PROOF_GROUPS || groups * items > PROOF_ITEMS_APART)
        return refuse(groups, items, error);
    /* Place i is group i, by which the graph tells them apart. */
    all.device = (struct model_device){
        .model = LITMUS_FAIR, .resident = (uint32_t)groups, .order = MODEL_ORDER_UP, .reads = MODEL_READS_WRITTEN};
    const int outcome = machine_use(&all, explore_launch, &exploring, error);
    return outcome == 0 && exploring.refused ? refuse(groups, items, error) : outcome;
}
