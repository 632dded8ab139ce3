#include "litmus/component.h"

#include "base/alloc.h"

#include <stdlib.h>

#define NONE UINT32_MAX

struct search {
    struct litmus_components *components;
    struct litmus_node *nodes;
    const struct litmus_space *space;
    enum litmus_model model;
    uint32_t found; /* states so far */
    uint32_t stack; /* its top, or NONE */
    uint32_t at;    /* where the way ends, or NONE */
};

static void reserve(struct litmus_components *components, uint32_t capacity)
{
    if (capacity <= components->capacity)
        return;
    components->nodes = xrealloc(components->nodes, capacity * sizeof *components->nodes);
    components->all = xrealloc(components->all, capacity * sizeof *components->all);
    components->capacity = capacity;
}

/* The way goes on to a state that was not found before. */
static void enter(struct search *search, uint32_t state)
{
    const struct litmus_space *space = search->space;
    const struct litmus_state *found = &space->states[state];

    search->nodes[state] = (struct litmus_node){
        .component = NONE,
        .order = search->found,
        .low = search->found,
        .below = search->stack,
        .parent = search->at,
        .fair = (uint16_t)litmus_fair_threads(search->model, space->program->threads, found->started, found->ended),
    };
    ++search->found;
    search->stack = state;
    search->at = state;
}

/* The state's component is complete: all that was found since. */
static void close_component(struct search *search, uint32_t state)
{
    struct litmus_components *components = search->components;
    uint32_t member;

    do {
        member = search->stack;
        search->stack = search->nodes[member].below;
        search->nodes[member].component = components->count;
    } while (member != state);
    components->all[components->count++] = (struct litmus_component){.threads = 0};
}

/* The way goes one step back. */
static void leave(struct search *search)
{
    const struct litmus_node *node = &search->nodes[search->at];

    if (node->low == node->order)
        close_component(search, search->at);
    if (node->parent != NONE && node->low < search->nodes[node->parent].low)
        search->nodes[node->parent].low = node->low;
    search->at = node->parent;
}

/* Follows all that can be reached from a state. */
static void follow(struct search *search, uint32_t state)
{
    const unsigned threads = search->space->program->threads;

    enter(search, state);
    while (search->at != NONE) {
        struct litmus_node *node = &search->nodes[search->at];
        while (node->turn < threads && (node->fair >> node->turn & 1) == 0)
            ++node->turn;
        if (node->turn == threads) {
            leave(search);
            continue;
        }
        const uint32_t next = litmus_space_step(search->space, search->at, node->turn++);
        const struct litmus_node *other = &search->nodes[next];
        if (other->order == NONE)
            enter(search, next);
        else if (other->component == NONE && other->order < node->low)
            node->low = other->order;
    }
}

/* What each component's steps are. */
static void add_steps(const struct search *search)
{
    const unsigned threads = search->space->program->threads;

    for (uint32_t state = 0; state < search->space->count; ++state) {
        const struct litmus_node *node = &search->nodes[state];
        struct litmus_component *component = &search->components->all[node->component];
        for (unsigned thread = 0; thread < threads; ++thread) {
            if ((node->fair >> thread & 1) == 0)
                continue;
            const uint32_t next = litmus_space_step(search->space, state, thread);
            if (search->nodes[next].component == node->component)
                component->threads |= (uint16_t)(1u << thread);
            else
                component->left = true;
        }
    }
}

void litmus_components_find(struct litmus_components *components, const struct litmus_space *space,
                            enum litmus_model model)
{
    reserve(components, space->capacity);
    struct search search = {.components = components,
                            .nodes = components->nodes,
                            .space = space,
                            .model = model,
                            .stack = NONE,
                            .at = NONE};
    components->count = 0;
    for (uint32_t state = 0; state < space->count; ++state)
        search.nodes[state].order = NONE;
    for (uint32_t state = 0; state < space->count; ++state)
        if (search.nodes[state].order == NONE)
            follow(&search, state);
    add_steps(&search);
}

void litmus_components_fini(struct litmus_components *components)
{
    free(components->all);
    free(components->nodes);
    *components = (struct litmus_components){.count = 0};
}
