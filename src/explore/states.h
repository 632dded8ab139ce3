/* The states of a graph that is explored, each once. Pure. */
#pragma once

#include "proof/graph.h"

struct states {
    struct proof_graph *graph;
    uint32_t room;
    uint32_t *slots; /* a hash table: 1 + a state, or 0 */
    uint32_t mask;
};

/* Returns the number of this state, which is made of an own state of each work-item. */
uint32_t states_add(struct states *states, const uint32_t *selves, uint32_t memory, uint32_t started, uint32_t ended);

/* Forgets all, and keeps the room. */
void states_clear(struct states *states);

/* Frees all but the graph's arrays. */
void states_fini(struct states *states);

/* Returns how many bytes the states take, with the graph. */
size_t states_size(const struct states *states);
