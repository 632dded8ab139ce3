#include "explore/states.h"

#include "base/alloc.h"
#include "explore/interned.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_STATES = 1 << 10 };

static uint32_t hash_of(const struct proof_graph *graph, uint32_t state)
{
    const uint64_t words[] = {
        interned_hash(&graph->selves[(size_t)state * proof_items(graph)], proof_items(graph) * sizeof *graph->selves),
        (uint64_t)graph->memories[state] << 32 | graph->started[state]};
    return (uint32_t)interned_hash(words, sizeof words);
}

static void place(struct states *states, uint32_t state)
{
    uint32_t slot = hash_of(states->graph, state) & states->mask;

    while (states->slots[slot] != 0)
        slot = (slot + 1) & states->mask;
    states->slots[slot] = state + 1;
}

static void reserve(struct states *states)
{
    struct proof_graph *graph = states->graph;

    if (graph->count + 1 < states->room)
        return;
    states->room = states->room == 0 ? FIRST_STATES : 2 * states->room;
    const size_t each = (size_t)states->room * proof_items(graph);
    graph->steps = xrealloc(graph->steps, each * sizeof *graph->steps);
    graph->selves = xrealloc(graph->selves, each * sizeof *graph->selves);
    graph->memories = xrealloc(graph->memories, states->room * sizeof *graph->memories);
    graph->started = xrealloc(graph->started, states->room * sizeof *graph->started);
    graph->ended = xrealloc(graph->ended, states->room * sizeof *graph->ended);
    graph->failed = xrealloc(graph->failed, states->room * sizeof *graph->failed);
    free(states->slots);
    states->mask = 2 * states->room - 1;
    states->slots = xcalloc(states->mask + (size_t)1, sizeof *states->slots);
    for (uint32_t i = 0; i < graph->count; ++i)
        place(states, i);
}

static bool is_same(const struct proof_graph *graph, uint32_t a, uint32_t b)
{
    const size_t items = proof_items(graph);

    return graph->memories[a] == graph->memories[b] && graph->started[a] == graph->started[b] &&
           memcmp(&graph->selves[a * items], &graph->selves[b * items], items * sizeof *graph->selves) == 0;
}

uint32_t states_add(struct states *states, const uint32_t *selves, uint32_t memory, uint32_t started, uint32_t ended)
{
    struct proof_graph *graph = states->graph;

    reserve(states);
    const uint32_t state = graph->count;
    const size_t items = proof_items(graph);
    memcpy(&graph->selves[state * items], selves, items * sizeof *selves);
    graph->memories[state] = memory;
    graph->started[state] = started;
    graph->ended[state] = ended;
    graph->failed[state] = 0;
    uint32_t slot = hash_of(graph, state) & states->mask;
    for (; states->slots[slot] != 0; slot = (slot + 1) & states->mask)
        if (is_same(graph, states->slots[slot] - 1, state))
            return states->slots[slot] - 1;
    states->slots[slot] = state + 1;
    graph->count += 1;
    return state;
}

void states_clear(struct states *states)
{
    states->graph->count = 0;
    if (states->slots != NULL)
        memset(states->slots, 0, (states->mask + (size_t)1) * sizeof *states->slots);
}

void states_fini(struct states *states)
{
    free(states->slots);
    *states = (struct states){0};
}

size_t states_size(const struct states *states)
{
    return states->room * ((2 * proof_items(states->graph) + 3) * sizeof(uint32_t) + 2 * sizeof *states->slots);
}
