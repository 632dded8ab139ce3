/*
 * All that a small launch can do: its states, and the steps between them. A step is of one work-item: the access that
 * it is about to make, and then all that it does until it is about to make another one that others could notice. Pure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PROOF_ITEMS = 64,  /* of a launch at most */
    PROOF_GROUPS = 32, /* likewise */
};

#define PROOF_NOWHERE UINT32_MAX

/* What a work-item is about to do. It follows from the work-item's own state alone. */
struct proof_access {
    uint64_t at;    /* address; */
    uint32_t bytes; /* 0: it goes round for ever, and accesses nothing that others could notice */
    uint32_t how;   /* GL_HOW_* of model/image.h: load, store or update; atomic; memory order and scope */
    uint32_t fence; /* GL_HOW_FENCE with order and scope, joined, of fences since its last access; 0: none */
    uint32_t meets; /* barriers of its group since its last access */
};

/* Own states of a work-item in which it has no step: its step is PROOF_NOWHERE. Others are indices of `accesses`. */
#define PROOF_ENDED UINT32_MAX
#define PROOF_WAITS (UINT32_MAX - 1) /* at a barrier of its group: a step of another item of the group lets it go on */

struct proof_graph {
    uint32_t groups, items;    /* work-groups, and work-items of each; work-item i is of group i / items */
    uint32_t count;            /* states; the first is the initial one */
    uint32_t *steps;           /* of each state, for each work-item: the state after its step, or PROOF_NOWHERE */
    uint32_t *selves;          /* likewise: its own state, an index of `accesses`, or PROOF_ENDED or PROOF_WAITS */
    uint32_t *memories;        /* of each state: which contents memory has; equal numbers are equal contents */
    uint32_t *started, *ended; /* of each state: groups that have taken a step, and those that have ended; a bit each */
    struct proof_access *accesses;
    uint32_t access_count;
};

static inline uint32_t proof_items(const struct proof_graph *graph)
{
    return graph->groups * graph->items;
}

static inline uint32_t proof_step(const struct proof_graph *graph, uint32_t state, uint32_t item)
{
    return graph->steps[(size_t)state * proof_items(graph) + item];
}

static inline uint32_t proof_self(const struct proof_graph *graph, uint32_t state, uint32_t item)
{
    return graph->selves[(size_t)state * proof_items(graph) + item];
}
