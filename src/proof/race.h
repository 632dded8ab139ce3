/*
 * Data races by the memory model of OpenCL 3.0: two accesses by different work-items that have bytes in common, of
 * which one writes, of which one is not atomic or whose scopes are not inclusive, and neither happens before the other.
 * What happens before what is in proof/knowledge.h. Pure.
 *
 * All runs of the graph are searched, for each access that may come first, with who knows of it; of two that come to
 * the same state, the one in which more know of it finds nothing that the other does not, and is given up.
 */
#pragma once

#include "proof/graph.h"

enum { PROOF_RACES = 32 };

enum proof_race_cause {
    PROOF_NOT_ATOMIC,    /* one of them, or both */
    PROOF_NOT_INCLUSIVE, /* the scope of one does not include the other's work-item */
    PROOF_NOT_FAR,       /* nor both atomic, but fences and barriers would order them if they reached other groups */
    PROOF_RACE_CAUSES,
};

struct proof_race {
    /* That of the access that came first, and that of the other one. */
    uint32_t items[2];
    uint32_t accesses[2];
    enum proof_race_cause cause;
    /* Items whose steps lead from the first state to where the other access is about to be made, and which of these
       steps makes the first access. No shorter way was found. */
    uint8_t *steps;
    uint32_t step_count, first;
};

struct proof_races {
    struct proof_race all[PROOF_RACES]; /* one of each pair of places, or of those found first; the shortest first */
    uint32_t count;
    uint32_t pairs;  /* pairs of places that race; more than `count` if there are too many */
    uint32_t states; /* that were searched: with who knows */
    bool complete;   /* all of them were */
};

/*
 * `places` says of each access where in the source it is, any number; NULL: each is a place of its own. Gives up when
 * so many states have been searched; what was found until then is a race nevertheless, and so are two accesses that
 * come next in one state.
 */
void proof_find_races(const struct proof_graph *graph, const uint32_t *places, uint32_t most,
                      struct proof_races *races);

void proof_races_fini(struct proof_races *races);

/*
 * Of words, numbered for each access: is there a run in which one atomic access comes before another one that conflicts
 * with it, and does not happen before it? Where not, the word might as well not be atomic. Marks those; false if it
 * gave up before it knew of all.
 */
bool proof_find_contention(const struct proof_graph *graph, const uint32_t *words, uint32_t most, bool *contended);
