/* Why a program is not guaranteed to end: a way to a cycle that is fair to all threads with fair execution. */
#pragma once

#include "base/error.h"
#include "graph/lasso.h"
#include "litmus/judge.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* All zero is empty; it is used again and again. */
struct litmus_witness {
    enum litmus_model model;
    bool strong;              /* even strong fairness does not help: threads of `fair` alone never leave the cycle */
    uint32_t fair;            /* the threads with fair execution in the cycle, a bit each; each steps in it */
    struct graph_lasso lasso; /* from the initial state to the cycle, and once around it */
};

/*
 * Finds a cycle that breaks strong fairness, or else weak fairness, in the program that was judged last. Returns
 * false if this model has no such cycle.
 */
bool litmus_witness_find(struct litmus_judge *judge, enum litmus_model model, struct litmus_witness *witness);

/* A line for each step, each behind "# ". */
void litmus_witness_text(FILE *out, const struct litmus_space *space, const struct litmus_witness *witness);

/* A cluster of Graphviz's dot: states, and the steps between them; those of the cycle are bold. */
void litmus_witness_dot(FILE *out, const struct litmus_space *space, const struct litmus_witness *witness);

void litmus_witness_fini(struct litmus_witness *witness);
