/*
 * Whether a small launch is guaranteed to end, for each promise of progress that a device may give; and how it goes on
 * for ever, or comes to a dead end, where it is not.
 *
 * With P places, a group that has not started takes its first step only where fewer than P have started and not ended,
 * and where that leaves places for those whom the model promises turns before they start: under HSA and HSA_OBE for the
 * lowest that has not ended, under LOBE and FAIR for all that are lower than one that has started. All that can be
 * reached so is judged. A model names the groups with fair execution; so are the work-items of these
 * that have a step. One that waits at a barrier has none, nor has a group that has not started and has no place: it is
 * owed nothing.
 *
 * No device ends a launch that can come to a dead end: groups have not ended, and no work-item has a step. Apart from
 * that, a promise is not enough if and only if there is
 * - weak: a component by all steps that has a step, and of each work-item with fair execution either a step or a state
 *   in which it has none;
 * - strong: a component by steps with fair execution that has a step, and none that leads out of it; or one by all
 *   steps that has a step, and a state in which nobody with fair execution has one: others can go round there for ever;
 * - unfair: a component by all steps that has a step.
 * For groups of one work-item, and as many places as groups, this is what litmus/judge.h says: there, where nobody with
 * fair execution is left, each step starts a thread.
 */
#pragma once

#include "graph/lasso.h"
#include "litmus/judge.h"
#include "proof/graph.h"

#include <stdbool.h>
#include <stdint.h>

/* Behind the models: some step is taken while there is one, and no more is promised. */
enum { PROOF_UNFAIR = LITMUS_MODELS, PROOF_PROMISES };

struct proof_promise {
    unsigned model; /* an enum litmus_model, or PROOF_UNFAIR, for which any fairness is the same */
    enum litmus_fairness fairness;
    unsigned places; /* from 1 to the number of groups; as many as there are for groups, not at least as many */
};

struct proof_progress {
    unsigned groups;
    uint32_t ends[PROOF_PROMISES][LITMUS_FAIRNESSES]; /* bit P - 1: guaranteed to end with P places */
};

static inline bool proof_ends(const struct proof_progress *progress, const struct proof_promise *promise)
{
    return (progress->ends[promise->model][promise->fairness] >> (promise->places - 1) & 1) != 0;
}

/*
 * Judges all promises, in time linear in the size of the graph for each. Takes 45 bytes a state. The graph has at least
 * one group and one state.
 */
void proof_progress_find(const struct proof_graph *graph, struct proof_progress *progress);

/* All zero is empty; it is used again and again. */
struct proof_counterexample {
    /* Threads are work-items. There is no circle in a dead end; else each with fair execution takes a step on it, or
       has none in a state of it. */
    struct graph_lasso lasso;
    uint64_t fair; /* those that have fair execution on the circle */
    bool trap;     /* the circle is of their steps alone, none of which ever leads away from it */
};

/*
 * Finds the nearest way in which the launch does not end although the promise is kept. Returns false if it always ends.
 * Takes 53 bytes a state.
 */
bool proof_counterexample_find(const struct proof_graph *graph, const struct proof_promise *promise,
                               struct proof_counterexample *example);

void proof_counterexample_fini(struct proof_counterexample *example);
