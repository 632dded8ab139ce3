/*
 * All that a small launch can do: its states, and the steps between them. A step is of one work-item: the access that
 * it is about to make, and then all that it does until it is about to make another one that others could notice. Pure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PROOF_ITEMS = 64,         /* of a launch at most, */
    PROOF_ITEMS_APART = 8192, /* or so many that keep apart (explore/separate.h) */
    PROOF_GROUPS = 32,        /* of a launch at most */
};

#define PROOF_NOWHERE UINT32_MAX

enum proof_kind { PROOF_LOAD, PROOF_STORE, PROOF_UPDATE, PROOF_MEETING /* it waits at a barrier of its group */ };

/* As C11 and OpenCL C have them; consume is acquire. */
enum proof_order { PROOF_RELAXED, PROOF_ACQUIRE, PROOF_RELEASE, PROOF_ACQ_REL, PROOF_SEQ_CST };
enum proof_scope { PROOF_SCOPE_ITEM, PROOF_SCOPE_SUB_GROUP, PROOF_SCOPE_GROUP, PROOF_SCOPE_DEVICE, PROOF_SCOPE_ALL };

/* Kinds of memory that a barrier or a fence orders; a bit each. Images count as global memory. */
enum { PROOF_LOCAL = 1, PROOF_GLOBAL = 2 };

static inline bool proof_acquires(unsigned order)
{
    return order == PROOF_ACQUIRE || order >= PROOF_ACQ_REL;
}

static inline bool proof_releases(unsigned order)
{
    return order >= PROOF_RELEASE;
}

/* How far a fence reaches: no further than its own work-item, to those of the group, or to all. */
enum proof_reach { PROOF_OWN, PROOF_NEAR, PROOF_FAR, PROOF_REACHES };

enum { PROOF_FENCES_RELEASE = 07070 }; /* the bits of those that release */

/* The bit of a fence for this kind of memory that acquires, or releases, and reaches so far. */
static inline uint16_t proof_fence_bit(unsigned space, bool releases, enum proof_reach reach)
{
    return (
        uint16_t)(1u << (((space == PROOF_GLOBAL ? 2u : 0u) + (releases ? 1u : 0u)) * PROOF_REACHES + (unsigned)reach));
}

/* The bits of a fence; of several those of each. */
uint16_t proof_fence(unsigned order, unsigned scope, unsigned spaces);

/* What a work-item is about to do. It follows from the work-item's own state alone. */
struct proof_access {
    uint64_t at;    /* address; */
    uint32_t bytes; /* 0: it goes round for ever, and accesses nothing that others could notice */
    uint8_t kind;   /* enum proof_kind */
    bool atomic;    /* with this order and scope: */
    uint8_t order, scope;
    uint8_t failure; /* of a compare-exchange: its order if it fails */
    uint16_t fences; /* since its last access, joined: bits of proof_fence */
    uint16_t meets;  /* barriers of its group since its last access, */
    uint8_t spaces;  /* and what those order that all passed in the last step of its group */
    bool is_local;   /* memory of its group */
    bool is_sum;     /* it adds to, or subtracts from, a word of four bytes, relaxed, and nobody uses what was there */
    uint32_t site;   /* where in the program: equal numbers are equal places */
};

/* Own states of a work-item in which it has no step: its step is PROOF_NOWHERE. Others are indices of `accesses`. */
#define PROOF_ENDED UINT32_MAX
#define PROOF_WAITS (UINT32_MAX - 1) /* at a barrier of its group: a step of another item of the group lets it go on */

/* Its arrays are its own. */
struct proof_graph {
    uint32_t groups, items; /* work-groups, and work-items of each; work-item i is of group i / items */
    uint32_t count;         /* states; the first is the initial one */
    uint32_t *steps;        /* of each state, for each work-item: the state after its step, or PROOF_NOWHERE */
    uint32_t *selves;       /* of each state, for each work-item: its own state, which proof_self() tells */
    uint32_t *memories;     /* of each state: which contents memory has; equal numbers are equal contents */
    /*
     * By state: groups that have taken a step, and those that have ended; a bit each. One without any step has
     * ended from the beginning, and never started: it makes no promise to lower ones.
     */
    uint32_t *started, *ended;
    uint64_t *failed; /* by state: work-items whose step is a compare-exchange that fails; a bit each. NULL: none */
    struct proof_access *accesses;
    uint32_t access_count;
};

/* Frees its arrays. */
void proof_graph_fini(struct proof_graph *graph);

static inline uint32_t proof_items(const struct proof_graph *graph)
{
    return graph->groups * graph->items;
}

static inline uint32_t proof_step(const struct proof_graph *graph, uint32_t state, uint32_t item)
{
    return graph->steps[(size_t)state * proof_items(graph) + item];
}

/* The item's step from this state is a compare-exchange that fails: an atomic load, with an order of its own. */
static inline bool proof_fails(const struct proof_graph *graph, uint32_t state, uint32_t item)
{
    return graph->failed != NULL && (graph->failed[state] >> item & 1) != 0;
}

static inline uint32_t proof_self(const struct proof_graph *graph, uint32_t state, uint32_t item)
{
    const uint32_t self = graph->selves[(size_t)state * proof_items(graph) + item];
    return self < PROOF_WAITS && graph->accesses[self].kind == PROOF_MEETING ? PROOF_WAITS : self;
}
