/* What is told of a launch that was explored, while it is put together. */
#pragma once

#include "explore/explore.h"
#include "graph/lasso.h"
#include "worker/proof.h"

enum { TELLING_STEPS = 4096 /* of a longer way the last ones are told */ };

struct telling {
    const struct proof_names *names;
    const struct explored *explored;
    const struct proof_graph *graph;
    struct proof_graph whole; /* the same, where each state has all its steps */
    bool passes;              /* ways pass over confluent steps */
    bool circles;             /* these steps are on a circle, ... */
    uint32_t circle;          /* which begins with this one of those told */
    struct proof_result *result;
};

/* The number of the name of what is there, among the texts of the result, and where in it. */
uint32_t telling_object(const struct telling *telling, uint64_t at, uint64_t *offset);

/* What a memory holds there, as a number: of the first eight bytes at most. */
uint64_t telling_value(const struct telling *telling, uint32_t memory, uint64_t at, uint32_t bytes);

/* The step that the work-item has in this state, as it is told. */
struct proof_told telling_step(const struct telling *telling, uint32_t state, uint32_t item);
void telling_add(struct proof_result *result, struct proof_told told);

/* Adds a way to the result, and returns its number: along the lasso, or the shortest one to a state. */
uint32_t telling_way(const struct telling *telling, const struct graph_lasso *lasso);
uint32_t telling_way_to(const struct telling *telling, uint32_t state);

/* Holds a memory against what is right. The caller loads the first one again. */
enum proof_answer telling_check(const struct telling *telling, uint32_t memory, struct proof_wrong *wrong);
void telling_wrong(const struct telling *telling, struct proof_wrong wrong);

/* Tells the races in a graph that are between other lines than those told already. */
void telling_more_races(const struct telling *telling);

/* Tells the race of two work-items that do not keep apart; no way is known to it. */
void telling_conflict(const struct telling *telling);

/* Where not all was explored: a counter may be why, for with it states never repeat. */
void telling_growing(const struct telling *telling);

/* What launches by lot came to. */
void telling_walks(const struct telling *telling);
