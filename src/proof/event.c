#include "proof/event.h"

#include "proof/knowledge.h"

#include "base/alloc.h"

#include <stdlib.h>

/* Whether they write is asked of each event. A plain access conflicts as one does whose scope is the work-item. */
struct likeness {
    uint64_t at;
    uint32_t bytes, place, access;
    uint8_t scope;
};

static int compare(const void *a, const void *b)
{
    const struct likeness *x = a, *y = b;
#define BY(member)                                                                                                     \
    if (x->member != y->member)                                                                                        \
    return x->member < y->member ? -1 : 1
    BY(at);
    BY(bytes);
    BY(place);
    BY(scope);
#undef BY
    return 0;
}

static void number_kinds(struct proof_events *events, const uint32_t *places)
{
    const struct proof_graph *graph = events->graph;
    struct likeness *all = xcalloc((size_t)graph->access_count + 1, sizeof *all);

    events->kinds = xcalloc((size_t)graph->access_count + 1, sizeof *events->kinds);
    for (uint32_t i = 0; i < graph->access_count; ++i) {
        const struct proof_access *access = &graph->accesses[i];
        all[i] = (struct likeness){.at = access->at,
                                   .bytes = access->bytes,
                                   .place = places == NULL ? i : places[i],
                                   .access = i,
                                   .scope = access->atomic ? access->scope : PROOF_SCOPE_ITEM};
    }
    qsort(all, graph->access_count, sizeof *all, compare);
    for (uint32_t i = 0; i < graph->access_count; ++i) {
        if (i == 0 || compare(&all[i - 1], &all[i]) != 0)
            events->kind_count += 1;
        events->kinds[all[i].access] = events->kind_count - 1;
    }
    free(all);
}

static uint32_t *find(const struct proof_events *events, uint32_t state, uint32_t item)
{
    const uint32_t self = proof_self(events->graph, state, item);

    if (!proof_is_access(self) || events->graph->accesses[self].bytes == 0)
        return NULL;
    const size_t kind = (size_t)events->kinds[self] * proof_items(events->graph) + item;
    return &events->index[2 * kind + proof_writes(events->graph, state, item)];
}

static void number_events(struct proof_events *events)
{
    const struct proof_graph *graph = events->graph;
    const size_t size = 2 * (size_t)events->kind_count * proof_items(graph);

    events->index = xmalloc((size + 1) * sizeof *events->index);
    for (size_t i = 0; i < size; ++i)
        events->index[i] = PROOF_NOWHERE;
    for (uint32_t state = 0; state < graph->count; ++state)
        for (uint32_t item = 0; item < proof_items(graph); ++item) {
            uint32_t *index = find(events, state, item);
            if (index != NULL && *index == PROOF_NOWHERE)
                *index = proof_self(graph, state, item);
        }
    for (size_t i = 0; i < size; ++i) {
        if (events->index[i] == PROOF_NOWHERE)
            continue;
        GROW(events->all, events->count);
        events->all[events->count] =
            (struct proof_event){(uint32_t)(i / 2 % proof_items(graph)), events->index[i], i % 2 != 0};
        events->index[i] = events->count++;
    }
}

/* --- conflicts --- */

/* Of different work-items. */
static bool are_inclusive(const struct proof_graph *graph, const struct proof_event *a, const struct proof_event *b)
{
    const unsigned x = graph->accesses[a->access].scope, y = graph->accesses[b->access].scope;
    const bool same_group = a->item / graph->items == b->item / graph->items;
    return (x < y ? x : y) >= (same_group ? PROOF_SCOPE_GROUP : PROOF_SCOPE_DEVICE);
}

/* Of such as have bytes in common. */
static bool do_conflict(const struct proof_events *events, const struct proof_event *a, const struct proof_event *b)
{
    const struct proof_graph *graph = events->graph;
    const bool atomic = graph->accesses[a->access].atomic && graph->accesses[b->access].atomic;

    if (a->item == b->item || (!a->writes && !b->writes))
        return false;
    return events->conflict == PROOF_RACE ? !atomic || !are_inclusive(graph, a, b) : atomic;
}

/* The next event behind `other` that conflicts with the event, which comes before it; `count` of events: none. */
static uint32_t next_conflict(const struct proof_events *events, uint32_t event, uint32_t other)
{
    const struct proof_access *access = &events->graph->accesses[events->all[event].access];

    for (++other; other < events->count; ++other) {
        if (events->graph->accesses[events->all[other].access].at - access->at >= access->bytes)
            break;
        if (do_conflict(events, &events->all[event], &events->all[other]))
            return other;
    }
    return events->count;
}

static void find_conflicts(struct proof_events *events)
{
    uint32_t *ends = xcalloc((size_t)events->count + 1, sizeof *ends), sum = 0;

    for (uint32_t event = 0; event < events->count; ++event)
        for (uint32_t other = event; (other = next_conflict(events, event, other)) < events->count;) {
            ends[event] += 1;
            ends[other] += 1;
        }
    for (uint32_t event = 0; event < events->count; ++event) {
        sum += ends[event];
        ends[event] = sum - ends[event]; /* where its own begin, until they are there */
    }
    events->conflicts = xcalloc((size_t)sum + 1, sizeof *events->conflicts);
    for (uint32_t event = 0; event < events->count; ++event)
        for (uint32_t other = event; (other = next_conflict(events, event, other)) < events->count;) {
            events->conflicts[ends[event]++] = other;
            events->conflicts[ends[other]++] = event;
        }
    events->ends = ends;
}

/* --- all together --- */

void proof_events_init(struct proof_events *events, const struct proof_graph *graph, const uint32_t *places,
                       enum proof_conflict conflict)
{
    *events = (struct proof_events){.graph = graph, .conflict = conflict};
    number_kinds(events, places);
    number_events(events);
    find_conflicts(events);
}

void proof_events_fini(struct proof_events *events)
{
    free(events->all);
    free(events->kinds);
    free(events->index);
    free(events->conflicts);
    free(events->ends);
    *events = (struct proof_events){0};
}

uint32_t proof_event_at(const struct proof_events *events, uint32_t state, uint32_t item)
{
    const uint32_t *index = find(events, state, item);
    return index == NULL ? PROOF_NOWHERE : *index;
}
