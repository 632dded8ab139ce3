#include "graph/component.h"

#include "base/alloc.h"

#include <stdlib.h>

#define NONE (UINT32_MAX >> 1)

struct visit {
    struct graph_components *components;
    struct graph_node *nodes;
    const struct graph *graph;
    uint32_t found; /* states whose component is not known yet */
    uint32_t stack; /* its top, or NONE: those of `found` that are not on the way */
    uint32_t at;    /* where the way ends, or NONE */
};

static void reserve(struct graph_components *components, uint32_t count)
{
    if (count <= components->capacity)
        return;
    const uint32_t twice = 2 * components->capacity;
    const size_t capacity = count > twice ? count : twice;
    components->nodes = xrealloc(components->nodes, capacity * sizeof *components->nodes);
    components->all = xrealloc(components->all, capacity * sizeof *components->all);
    components->capacity = (uint32_t)capacity;
}

/* The way goes on to a state that was not found before. */
static void enter(struct visit *search, uint32_t state)
{
    search->nodes[state] = (struct graph_node){
        .pending = graph_moves(search->graph, state),
        .index = ++search->found,
        .link = search->at & NONE,
        .first = true,
    };
    search->at = state;
}

/* The state leads to another, and to all that this one leads back to. */
static void lead_back(struct graph_node *node, uint32_t index)
{
    if (index >= node->index)
        return; /* it was found later, or its component is known */
    node->index = index;
    node->first = false;
}

/* The state's component is complete: all that is on the stack and was found since. */
static void close_component(struct visit *search, uint32_t state)
{
    struct graph_components *components = search->components;
    struct graph_node *nodes = search->nodes;
    const uint32_t since = nodes[state].index;
    const uint32_t number = components->count++;

    components->all[number] = (struct graph_component){.threads = 0};
    while (search->stack != NONE && nodes[search->stack].index >= since) {
        nodes[search->stack].index = ~number;
        search->stack = nodes[search->stack].link;
        --search->found;
    }
    nodes[state].index = ~number;
    --search->found;
}

/* The way goes one step back. */
static void leave(struct visit *search)
{
    const uint32_t state = search->at;
    struct graph_node *node = &search->nodes[state];

    search->at = node->link;
    if (node->first) {
        close_component(search, state);
        return;
    }
    node->link = search->stack & NONE;
    search->stack = state;
    lead_back(&search->nodes[search->at], node->index);
}

/* Follows all that can be reached from a state. */
static void follow(struct visit *search, uint32_t state)
{
    enter(search, state);
    while (search->at != NONE) {
        struct graph_node *node = &search->nodes[search->at];
        if (node->pending == 0) {
            leave(search);
            continue;
        }
        const uint32_t next = graph_step(search->graph, search->at, (unsigned)__builtin_ctzll(node->pending));
        node->pending &= node->pending - 1;
        if (search->nodes[next].index == 0)
            enter(search, next);
        else
            lead_back(node, search->nodes[next].index);
    }
}

/* What each component's steps are. */
static void add_steps(const struct visit *search)
{
    const struct graph *graph = search->graph;

    for (uint32_t state = 0; state < graph->count; ++state) {
        const uint32_t index = search->nodes[state].index;
        struct graph_component *component = &search->components->all[~index];
        const uint64_t moves = graph_moves(graph, state);
        component->resting |= ~moves;
        for (uint64_t left = moves; left != 0; left &= left - 1) {
            const unsigned thread = (unsigned)__builtin_ctzll(left);
            if (search->nodes[graph_step(graph, state, thread)].index == index)
                component->threads |= UINT64_C(1) << thread;
            else
                component->left = true;
        }
    }
}

void graph_components_find(struct graph_components *components, const struct graph *graph)
{
    reserve(components, graph->count);
    struct visit search = {
        .components = components, .nodes = components->nodes, .graph = graph, .stack = NONE, .at = NONE};
    components->count = 0;
    for (uint32_t state = 0; state < graph->count; ++state)
        search.nodes[state].index = 0;
    for (uint32_t state = 0; state < graph->count; ++state)
        if (search.nodes[state].index == 0)
            follow(&search, state);
    add_steps(&search);
}

void graph_components_fini(struct graph_components *components)
{
    free(components->all);
    free(components->nodes);
    *components = (struct graph_components){.count = 0};
}
