#include "explore/large.h"

#include "explore/separate.h"
#include "explore/walks.h"

enum {
    APART_MOST = 1 << 16, /* accesses of a work-item between barriers, where it is only looked whether all keep apart */
    /* At work-items of states: after so many it is enough that all keep apart, there are some launches by lot, and
       after this part for each work-item it is enough that two race. */
    APART_LOOKS = 1 << 16,
    EARLY_LOOKS = 1 << 20,
    RACE_LOOKS = 1 << 22,
    EARLY_WALKS = 1 << 4,
};

/* The only state, in which all have ended, and which does not tell work-items apart. */
static void add_end(struct exploring *exploring)
{
    struct explored *explored = exploring->explored;
    const uint32_t groups = explored->graph.groups;

    explored->graph.items = 1;
    for (uint32_t i = 0; i < groups; ++i)
        exploring->first[i] = PROOF_ENDED;
    states_add(&exploring->states, exploring->first, memory_number(&stepping.memory), 0,
               (uint32_t)((UINT64_C(1) << groups) - 1));
    exploring_note_confluent(exploring, 0, 0);
    for (uint32_t i = 0; i < groups; ++i)
        explored->graph.steps[i] = PROOF_NOWHERE;
    explored->known = 1;
    explored->settled = true;
}

/*
 * Takes one schedule, with at most so many accesses of each work-item between barriers. True: all have ended, and kept
 * apart; else *conflict is noted, or `extent` says what else there is.
 */
static bool keeps_apart(struct exploring *exploring, uint32_t most, struct explored_conflict *conflict)
{
    struct explored *explored = exploring->explored;
    struct separate separate;

    separate_begin(&separate, explored, run.order.groups, run.space.items);
    stepping.separate = &separate;
    exploring_restart(exploring);
    const bool goes = exploring_goes_on(exploring, stepping_first(most), 0);
    const uint32_t ended = exploring_ended(&explored->graph, stepping.selves);
    const bool keeps = goes && !separate.failed && ended == (UINT64_C(1) << run.order.groups) - 1;
    *conflict = separate.conflict;
    explored->updates = separate.updates;
    stepping.separate = NULL;
    separate_fini(&separate);
    return keeps;
}

void large_look(struct exploring *exploring)
{
    struct explored *explored = exploring->explored;

    exploring->apart =
        exploring->bounds->ignored_count == 0 && keeps_apart(exploring, APART_MOST, &exploring->conflict);
    explored->extent = PROOF_ALL;
    explored->updates = false;
    explored->steps = explored->unwritten_state = 0;
}

static bool take_walks(const struct exploring *exploring, uint64_t until_ns, uint32_t most)
{
    return walks_take(&(struct walks){.explored = exploring->explored,
                                      .first = exploring->first,
                                      .memory = exploring->memory,
                                      .bytes = exploring->bounds->walk_bytes,
                                      .until_ns = until_ns,
                                      .most = most});
}

static uint64_t looks_until(const struct exploring *exploring, uint32_t state)
{
    return exploring->explored->steps + (uint64_t)state * proof_items(&exploring->explored->graph);
}

/* What is wrong in nearly every schedule need not be the nearest in a launch that is large. */
static bool goes_wrong(struct exploring *exploring)
{
    const struct explore_bounds *bounds = exploring->bounds;
    struct explored *explored = exploring->explored;
    const bool knows = explored->unwritten[0] != '\0';

    if (exploring->has_walked || bounds->walk_ns == 0)
        return false;
    stepping.memory.outdated = !take_walks(exploring, bounds->until_ns, EARLY_WALKS);
    exploring->has_walked = !stepping.memory.outdated;
    if (exploring->has_walked && walks_went_wrong(explored)) {
        explored->extent = PROOF_TO_FAULT;
        explored->fault_state = PROOF_NOWHERE;
        return true;
    }
    walks_forget(explored);
    if (!knows) /* its state is none of those that are searched */
        explored->unwritten[0] = '\0';
    return stepping.memory.outdated;
}

/* What is worse than a race would most likely have been seen until two race for certain. */
bool large_is_enough(struct exploring *exploring, uint32_t state)
{
    const uint64_t looks = looks_until(exploring, state);
    const bool races = exploring->conflict.is_race && looks >= RACE_LOOKS / run.item_count;

    exploring->settles = exploring->apart && looks >= APART_LOOKS;
    if (!exploring->settles && (races || looks >= EARLY_LOOKS) && goes_wrong(exploring))
        return true;
    exploring->settles = exploring->settles || races;
    return exploring->settles;
}

void large_settle(struct exploring *exploring)
{
    struct explored *explored = exploring->explored;

    explored->extent = PROOF_ALL;
    const bool keeps = keeps_apart(exploring, EXPLORE_ALONE_MOST, &explored->conflict),
               races = explored->conflict.is_race;

    exploring->refused = !keeps && !races && explored->extent != PROOF_TO_FAULT;
    if (keeps || races) {
        add_end(exploring);
        explored->extent = keeps ? PROOF_ALL : PROOF_TO_FAULT;
    }
}

void large_walk_on(struct exploring *exploring)
{
    const struct explore_bounds *bounds = exploring->bounds;
    const struct explored *explored = exploring->explored;

    if (bounds->walk_ns > 0 && explored->known > 0 &&
        (explored->extent == PROOF_TO_MEMORY || explored->extent == PROOF_TO_TIME))
        take_walks(exploring, bounds->until_ns + bounds->walk_ns, 0);
}
