/* An exploration that goes on: what its parts share. The launch runs (explore/stepping.h). */
#pragma once

#include "explore/explore.h"
#include "explore/states.h"
#include "explore/stepping.h"

struct exploring {
    struct explored *explored;
    const struct explore_bounds *bounds;
    struct states states;
    uint32_t *first;                   /* own states in the first state, */
    uint32_t memory;                   /* and its memory */
    uint32_t room;                     /* of explored->confluent */
    bool apart;                        /* all keep apart (explore/separate.h), */
    struct explored_conflict conflict; /* or which two do not, */
    bool settles;                      /* and that is enough */
    bool has_walked;                   /* there were launches by lot */
    bool refused;                      /* there are too many work-items for states, and they do not keep apart */
};

/* Begins anew, without a state. */
void exploring_restart(struct exploring *exploring);

/*
 * What the work-item's step came to, which was taken in this state. False: it cannot go on from here, and `extent` says
 * why; or a byte turned out to be shared.
 */
bool exploring_goes_on(struct exploring *exploring, enum stop stop, uint32_t state);

/* Groups all of whose work-items have ended; a bit each. */
uint32_t exploring_ended(const struct proof_graph *graph, const uint32_t *selves);

/* Notes that one step is known of the state, or, if that is 0, all: 1 + its work-item. */
void exploring_note_confluent(struct exploring *exploring, uint32_t state, uint32_t item);
