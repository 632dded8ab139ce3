/* Events of a graph that conflict: accesses of a work-item that are alike but for the own states they are made in. */
#pragma once

#include "proof/graph.h"

/* The access is of the first of the own states in which it is made. */
struct proof_event {
    uint32_t item, access;
    bool writes;
};

/* What may be wrong about two accesses by different work-items of which one writes. */
enum proof_conflict {
    PROOF_RACE,       /* one is not atomic, or their scopes are not inclusive */
    PROOF_CONTENTION, /* both are atomic: nothing, but either may come first */
};

struct proof_events {
    const struct proof_graph *graph;
    enum proof_conflict conflict;
    struct proof_event *all; /* in the order of addresses */
    uint32_t count;
    uint32_t *kinds; /* of each access: equal for those alike */
    uint32_t kind_count;
    uint32_t *index; /* of each kind, item, and whether it writes: the event, or PROOF_NOWHERE */
    /* Events that conflict with the first one, with the second one ...; and where those of each one end. */
    uint32_t *conflicts, *ends;
};

/* Accesses are alike only if their places are; NULL: each is a place of its own. */
void proof_events_init(struct proof_events *events, const struct proof_graph *graph, const uint32_t *places,
                       enum proof_conflict conflict);
void proof_events_fini(struct proof_events *events);

/* What the item is about to do in this state; PROOF_NOWHERE: nothing. */
uint32_t proof_event_at(const struct proof_events *events, uint32_t state, uint32_t item);

/* Where in `conflicts` those of the event begin. */
static inline uint32_t proof_conflicts_from(const struct proof_events *events, uint32_t event)
{
    return event == 0 ? 0 : events->ends[event - 1];
}
