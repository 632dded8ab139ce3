#include "proof/race.h"

#include "proof/event.h"
#include "proof/knowledge.h"

#include "base/alloc.h"
#include "base/intern.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* A state of the graph behind the event that is searched for, and who knows of it. */
struct node {
    const uint64_t *knowledge;
    uint32_t state;
    uint32_t parent; /* a node; or, before the step of the event itself, a state */
    uint32_t below;  /* another node with this state */
    uint32_t length; /* steps since the first state */
    uint8_t item;    /* whose step led from the parent */
    bool begins;     /* by the event itself */
};

/* The shortest way to a state: the state before, and whose step. */
struct way {
    uint32_t length, before;
    uint8_t item;
};

struct race_search {
    const struct proof_graph *graph;
    const uint32_t *places;
    struct proof_knowledge rules;
    struct proof_events events;
    struct way *ways;
    uint32_t *order; /* states that can be reached, the nearest first */
    uint32_t reached;
    struct proof_races *races;
    struct intern pairs; /* of places that race; each has its number in `races`, from 1, or 0 if it is not there */
    uint32_t most;
    bool is_wide;     /* fences reach all work-items */
    bool *contended;  /* of each place, instead of races: somebody may come first or not; NULL: races */
    uint64_t *buffer; /* knowledge */
    /* Of the event that is searched for: */
    uint32_t event;
    bool *conflicts;   /* with each event */
    uint64_t partners; /* items that have such as conflict; a bit each */
    struct node *nodes;
    uint32_t count;
    uint32_t *top; /* of each state: its last node */
    struct intern known;
};

/* --- ways --- */

static void find_ways(struct race_search *search)
{
    const struct proof_graph *graph = search->graph;
    struct way *ways = xcalloc(graph->count, sizeof *ways);
    uint32_t *order = xcalloc(graph->count, sizeof *order), reached = 1;

    for (uint32_t state = 1; state < graph->count; ++state)
        ways[state].before = NONE;
    for (uint32_t i = 0; i < reached; ++i)
        for (uint32_t item = 0; item < proof_items(graph); ++item) {
            const uint32_t next = proof_step(graph, order[i], item);
            if (next == PROOF_NOWHERE || ways[next].before != NONE)
                continue;
            ways[next] = (struct way){ways[order[i]].length + 1, order[i], (uint8_t)item};
            order[reached++] = next;
        }
    search->ways = ways;
    search->order = order;
    search->reached = reached;
}

/* Writes the steps of a race from behind: those that led to the node, and before these those to its event. */
static void retrace(const struct race_search *search, uint32_t at, struct proof_race *race)
{
    const struct node *node = &search->nodes[at];
    uint32_t left = node->length;

    race->step_count = left;
    race->steps = xmalloc(left);
    for (; !node->begins; node = &search->nodes[node->parent])
        race->steps[--left] = node->item;
    race->steps[--left] = node->item;
    race->first = left;
    race->items[0] = node->item;
    race->accesses[0] = proof_self(search->graph, node->parent, node->item);
    for (uint32_t state = node->parent; left > 0; state = search->ways[state].before)
        race->steps[--left] = search->ways[state].item;
}

/* --- races --- */

static uint32_t place_at(const uint32_t *places, uint32_t access)
{
    return places == NULL ? access : places[access];
}

static uint32_t place_of(const struct race_search *search, uint32_t event)
{
    return place_at(search->places, search->events.all[event].access);
}

/* What the item is about to do at the node races with the event, which was before. */
static void note(struct race_search *search, uint32_t node, uint32_t item)
{
    const struct proof_graph *graph = search->graph;
    struct proof_races *races = search->races;
    const uint32_t state = search->nodes[node].state;
    const uint32_t a = place_of(search, search->event);
    const uint32_t b = place_of(search, proof_event_at(&search->events, state, item));

    if (search->contended != NULL) {
        search->contended[a] = search->contended[b] = true;
        return;
    }
    const uint32_t pair[] = {a < b ? a : b, a < b ? b : a};
    const size_t before = search->pairs.used;
    uint32_t *number = intern_number(intern_bytes(&search->pairs, pair, sizeof pair));

    if (search->pairs.used > before) {
        races->pairs += 1;
        if (races->count < PROOF_RACES)
            *number = ++races->count;
    }
    if (*number == 0)
        return;
    struct proof_race *race = &races->all[*number - 1];
    if (race->steps != NULL && race->step_count <= search->nodes[node].length)
        return;
    free(race->steps);
    retrace(search, node, race);
    race->items[1] = item;
    race->accesses[1] = proof_self(graph, state, item);
    race->cause = graph->accesses[race->accesses[0]].atomic && graph->accesses[race->accesses[1]].atomic
                      ? PROOF_NOT_INCLUSIVE
                      : PROOF_NOT_ATOMIC;
}

/* --- the search --- */

/* Takes the step of `node.item` from this state, with what is known before it in the buffer. */
static void add(struct race_search *search, uint32_t state, struct node node)
{
    const struct proof_knowledge *rules = &search->rules;

    node.state = proof_step(search->graph, state, node.item);
    if (node.state == PROOF_NOWHERE)
        return;
    proof_knowledge_step(rules, state, node.item, search->buffer);
    if ((search->partners & ~proof_knowing(search->buffer)) == 0)
        return;
    for (uint32_t i = search->top[node.state]; i != NONE; i = search->nodes[i].below)
        if (proof_knows_less(rules, search->nodes[i].knowledge, search->buffer))
            return;
    if (search->races->states == search->most) {
        search->races->complete = false;
        return;
    }
    search->races->states += 1;
    node.knowledge = intern_bytes(&search->known, search->buffer, rules->size * sizeof *search->buffer);
    node.below = search->top[node.state];
    search->top[node.state] = search->count;
    GROW(search->nodes, search->count);
    search->nodes[search->count++] = node;
}

/* The event may be what comes in this state. */
static void begin(struct race_search *search, uint32_t state)
{
    const uint32_t item = search->events.all[search->event].item;

    if (proof_event_at(&search->events, state, item) != search->event)
        return;
    proof_knowledge_begin(&search->rules, state, item, search->buffer);
    add(search, state,
        (struct node){
            .parent = state, .length = search->ways[state].length + 1, .item = (uint8_t)item, .begins = true});
}

static void go_on(struct race_search *search, uint32_t at)
{
    for (uint32_t item = 0; item < proof_items(search->graph); ++item) {
        const struct node node = search->nodes[at];
        const uint32_t event = proof_event_at(&search->events, node.state, item);
        if (event == PROOF_NOWHERE)
            continue;
        if (search->conflicts[event] && !proof_knows(&search->rules, node.state, item, node.knowledge))
            note(search, at, item);
        memcpy(search->buffer, node.knowledge, search->rules.size * sizeof *search->buffer);
        add(search, node.state, (struct node){.parent = at, .length = node.length + 1, .item = (uint8_t)item});
    }
}

/* The next state in which the event may come is not farther than the next node. */
static bool is_first(const struct race_search *search, uint32_t begun, uint32_t gone)
{
    return begun < search->reached &&
           (gone == search->count || search->ways[search->order[begun]].length <= search->nodes[gone].length);
}

static bool is_done(const struct race_search *search)
{
    return !search->races->complete ||
           (search->contended != NULL && search->contended[place_of(search, search->event)]);
}

/* The nearest come first, so that the first race found with another event is the shortest. */
static void search_event(struct race_search *search)
{
    uint32_t begun = 0, gone = 0;

    memset(search->top, 0xff, search->graph->count * sizeof *search->top);
    search->count = 0;
    search->rules.space =
        search->graph->accesses[search->events.all[search->event].access].is_local ? PROOF_LOCAL : PROOF_GLOBAL;
    while (!is_done(search) && (begun < search->reached || gone < search->count))
        if (is_first(search, begun, gone))
            begin(search, search->order[begun++]);
        else
            go_on(search, gone++);
    intern_fini(&search->known);
    free(search->nodes);
    search->nodes = NULL;
}

static void search_all(struct race_search *search)
{
    const struct proof_events *events = &search->events;

    for (uint32_t event = 0; event < events->count; ++event) {
        search->event = event;
        search->partners = 0;
        memset(search->conflicts, 0, events->count);
        for (uint32_t i = proof_conflicts_from(events, event); i < events->ends[event]; ++i) {
            search->conflicts[events->conflicts[i]] = true;
            search->partners |= (uint64_t)1 << events->all[events->conflicts[i]].item;
        }
        if (search->partners != 0 && !is_done(search))
            search_event(search);
    }
}

/* The item's access in this state is made, and that of another one is next, which conflicts: neither was ordered. */
static void note_adjacent(struct race_search *search, uint32_t state, uint32_t item, uint32_t other)
{
    struct node node = {
        .parent = state, .length = search->ways[state].length + 1, .item = (uint8_t)item, .begins = true};

    node.state = proof_step(search->graph, state, item);
    if (node.state == PROOF_NOWHERE)
        return;
    search->event = proof_event_at(&search->events, state, item);
    search->nodes = &node;
    note(search, 0, other);
    search->nodes = NULL;
}

/*
 * Where all would be too much: two that conflict are the next accesses of their work-items in one state, so that either
 * may be first.
 */
static void search_adjacent(struct race_search *search)
{
    const struct proof_events *events = &search->events;
    uint32_t *next = xcalloc((size_t)events->count + 1, sizeof *next); /* of each event: 1 + the last state it is in */

    for (uint32_t i = 0; i < search->reached; ++i) {
        const uint32_t state = search->order[i];
        for (uint32_t item = 0; item < proof_items(search->graph); ++item) {
            const uint32_t event = proof_event_at(events, state, item);
            if (event == PROOF_NOWHERE)
                continue;
            next[event] = state + 1;
            for (uint32_t at = proof_conflicts_from(events, event); at < events->ends[event]; ++at)
                if (next[events->conflicts[at]] == state + 1) {
                    note_adjacent(search, state, events->all[events->conflicts[at]].item, item);
                    note_adjacent(search, state, item, events->all[events->conflicts[at]].item);
                }
        }
    }
    free(next);
}

static int compare(const void *a, const void *b)
{
    const struct proof_race *x = a, *y = b;
    return (x->step_count > y->step_count) - (x->step_count < y->step_count);
}

static void find(struct race_search *search, enum proof_conflict conflict)
{
    const struct proof_graph *graph = search->graph;

    *search->races = (struct proof_races){.complete = true};
    if (graph->count == 0)
        return;
    proof_knowledge_init(&search->rules, graph, search->is_wide);
    proof_events_init(&search->events, graph, search->places, conflict);
    find_ways(search);
    search->conflicts = xcalloc((size_t)search->events.count + 1, sizeof *search->conflicts);
    search->top = xcalloc(graph->count, sizeof *search->top);
    search->buffer = xcalloc(search->rules.size, sizeof *search->buffer);
    search_all(search);
    if (!search->races->complete && search->contended == NULL)
        search_adjacent(search);
    free(search->buffer);
    free(search->top);
    free(search->conflicts);
    intern_fini(&search->pairs);
    free(search->order);
    free(search->ways);
    proof_events_fini(&search->events);
    proof_knowledge_fini(&search->rules);
}

static bool is_same_pair(const struct proof_race *a, const struct proof_race *b, const uint32_t *places)
{
    const uint32_t x[] = {place_at(places, a->accesses[0]), place_at(places, a->accesses[1])};
    const uint32_t y[] = {place_at(places, b->accesses[0]), place_at(places, b->accesses[1])};
    return (x[0] == y[0] && x[1] == y[1]) || (x[0] == y[1] && x[1] == y[0]);
}

/* Those that do not race if fences reach all work-items. Where not all that race then are known, nothing is said. */
static void find_not_far(const struct race_search *search, struct proof_races *races)
{
    struct proof_races wide;
    struct race_search widely = {
        .graph = search->graph, .places = search->places, .races = &wide, .most = search->most, .is_wide = true};

    find(&widely, PROOF_RACE);
    for (uint32_t i = 0; i < races->count && wide.complete && wide.pairs == wide.count; ++i) {
        struct proof_race *race = &races->all[i];
        uint32_t same = 0;
        while (same < wide.count && !is_same_pair(race, &wide.all[same], search->places))
            ++same;
        if (same == wide.count && race->cause == PROOF_NOT_ATOMIC)
            race->cause = PROOF_NOT_FAR;
    }
    proof_races_fini(&wide);
}

void proof_find_races(const struct proof_graph *graph, const uint32_t *places, uint32_t most, struct proof_races *races)
{
    struct race_search search = {.graph = graph, .places = places, .races = races, .most = most};

    find(&search, PROOF_RACE);
    qsort(races->all, races->count, sizeof *races->all, compare);
    if (races->count > 0 && races->complete)
        find_not_far(&search, races);
}

bool proof_find_contention(const struct proof_graph *graph, const uint32_t *words, uint32_t most, bool *contended)
{
    struct proof_races races;
    struct race_search search = {
        .graph = graph, .places = words, .races = &races, .most = most, .contended = contended};

    find(&search, PROOF_CONTENTION);
    return races.complete;
}

void proof_races_fini(struct proof_races *races)
{
    for (uint32_t i = 0; i < races->count; ++i)
        free(races->all[i].steps);
    *races = (struct proof_races){0};
}
