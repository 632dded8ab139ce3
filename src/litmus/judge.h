/*
 * Whether a program is guaranteed to end, for each model of progress, under weak and under strong fairness.
 *
 * Weak: however the threads take turns, as long as none of those with fair execution waits for its turn for ever.
 * This fails if and only if there is a strongly connected component of states that has at least one step, and a step
 * of each of these threads.
 * Strong: what can happen again and again does happen. This holds if and only if from each state a path of steps of
 * such threads leads to the end, or to a state where there are none; which is to say that components by their steps
 * alone have either no step, or one that leads out.
 */
#pragma once

#include "base/error.h"
#include "litmus/model.h"
#include "litmus/program.h"
#include "litmus/space.h"
#include "litmus/view.h"

#include <stdbool.h>

enum litmus_fairness { LITMUS_WEAK, LITMUS_STRONG, LITMUS_FAIRNESSES };

/* Each model with each fairness: model * LITMUS_FAIRNESSES + fairness counts them. */
enum { LITMUS_STANDINGS = (int)LITMUS_MODELS * (int)LITMUS_FAIRNESSES };

/* "weak", "strong" */
NAMING_DECLARE(litmus_fairness, enum litmus_fairness);

/* Guaranteed to end. Strong is true if weak is: the cycle that breaks strong fairness breaks weak fairness, too. */
struct litmus_verdicts {
    bool weak[LITMUS_MODELS];
    bool strong[LITMUS_MODELS];
};

static inline bool litmus_guarantees(const struct litmus_verdicts *verdicts, enum litmus_model model,
                                     enum litmus_fairness fairness)
{
    return fairness == LITMUS_WEAK ? verdicts->weak[model] : verdicts->strong[model];
}

/* All zero is a new judge; it is used again and again. After a judgement it holds the program's states. */
struct litmus_judge {
    struct litmus_space space;
    struct graph_components all;  /* by all steps */
    struct graph_components some; /* by those of a model */
};

/*
 * Judges a well-formed program, which must stay there for witnesses. -1 with STATUS_USAGE if it has more than
 * LITMUS_STATES states.
 */
int litmus_judge_program(struct litmus_judge *judge, const struct litmus_program *program,
                         struct litmus_verdicts *verdicts, struct error *error);

void litmus_judge_fini(struct litmus_judge *judge);

/*
 * A model that is guaranteed enough for the program makes those that promise more so, too: HSA and OBE make HSA_OBE,
 * which makes LOBE, which makes FAIR. Where threads have fair execution, the latter has all that the former has; where
 * none has, all that have started have ended, and one that has not yet starts in the latter, or has reached a state
 * without such threads as well.
 */
bool litmus_is_implied(const bool holds[LITMUS_MODELS], enum litmus_model model);

/* In this state a thread of those that the model names has no step within the component, or the component has none. */
bool litmus_is_left_in_turn(const struct litmus_judge *judge, enum litmus_model model, uint32_t state);

/* Returns the first state in which that is not so, which breaks weak fairness, or LITMUS_NOWHERE. */
uint32_t litmus_find_fair_cycle(const struct litmus_judge *judge, enum litmus_model model);

/* Returns the first state of a trap, which breaks strong fairness of the components' model, or LITMUS_NOWHERE. */
uint32_t litmus_find_trap(const struct litmus_space *space, const struct graph_components *components);
