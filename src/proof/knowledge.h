/*
 * Who knows of one event, an access of one work-item, while others go on: knowing it means that it happens before what
 * one does next, by the memory model of OpenCL 3.0 (section 3.3.6). Pure.
 *
 * - An atomic access that acquires knows what was handed over by the release sequence that it reads from, if the scopes
 *   of both are inclusive. As in C11, a store by another work-item ends a release sequence, an update does not.
 * - What a release fence knew is handed over by the atomic writes of its work-item behind it; what atomic reads found
 *   is known behind an acquire fence. The scopes of the fences count.
 * - Global and local memory have a happens-before each. A barrier joins what the work-items of a group know of an
 *   access to the kind of memory that it is for, and a fence counts for that kind; an atomic access counts for the kind
 *   that its own word is of, and for both if it is sequentially consistent.
 * - Each of two scopes includes the work-item of the other: then they are inclusive. A sub-group is taken to be no more
 *   than one work-item.
 *
 * The graph has fences and barriers joined. Where it does not say what came first, or whether there was one, more is
 * known, so that no order is missed: between two accesses, what is acquired is before barriers, and these before what
 * is released. A work-item that is at a barrier directly after another one, or ends behind one, has an acquire fence
 * before the first. An update that changes nothing hands over as one that does, but for a compare-exchange of C11 that
 *   fails: that only reads, with its own order.
 */
#pragma once

#include "proof/graph.h"

struct proof_relay;

struct proof_knowledge {
    const struct proof_graph *graph;
    struct proof_relay *relays; /* words by which knowledge is handed over, in the order of addresses */
    uint32_t relay_count;
    struct proof_span *spans; /* of each access: relays that it touches */
    uint32_t size;            /* of knowledge: so many numbers */
    uint8_t space;            /* of the event: PROOF_LOCAL or PROOF_GLOBAL. To be set before each */
    bool is_wide;
};

/* `is_wide`: as if fences reached all work-items whatever their scope, and barriers were such fences as well; but a sum
   finds nothing, for of two either may come first, and the graph need not have both orders (explore/futures.h). */
void proof_knowledge_init(struct proof_knowledge *rules, const struct proof_graph *graph, bool is_wide);
void proof_knowledge_fini(struct proof_knowledge *rules);

/* Begins where the item knows of its access that it makes in this state, and nobody else does. */
void proof_knowledge_begin(const struct proof_knowledge *rules, uint32_t state, uint32_t item, uint64_t *knowledge);

/* Takes the item's step from this state. */
void proof_knowledge_step(const struct proof_knowledge *rules, uint32_t state, uint32_t item, uint64_t *knowledge);

/* Returns whether the event happens before the access that the item is about to make in this state. */
bool proof_knows(const struct proof_knowledge *rules, uint32_t state, uint32_t item, const uint64_t *knowledge);

/* Returns the items that know it by now, or have ended; a bit each. */
uint64_t proof_knowing(const uint64_t *knowledge);

/* Whoever knows it in the first case, knows it in the second. */
static inline bool proof_knows_less(const struct proof_knowledge *rules, const uint64_t *less, const uint64_t *more)
{
    for (uint32_t i = 0; i < rules->size; ++i)
        if ((less[i] & ~more[i]) != 0)
            return false;
    return true;
}

static inline bool proof_is_access(uint32_t self)
{
    return self != PROOF_ENDED && self != PROOF_WAITS;
}

/* Does what the item is about to do in this state write? An update that changes nothing is taken for a read. */
static inline bool proof_writes(const struct proof_graph *graph, uint32_t state, uint32_t item)
{
    const uint32_t next = proof_step(graph, state, item);
    const uint8_t kind = graph->accesses[proof_self(graph, state, item)].kind;
    return kind == PROOF_STORE ||
           (kind == PROOF_UPDATE && next != PROOF_NOWHERE && graph->memories[next] != graph->memories[state]);
}
