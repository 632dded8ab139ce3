/*
 * Expectations: a rule says which verdicts a point may have, or which causes. Clauses are separated by ';', the first
 * whose condition is true counts:
 *
 *     pass when groups <= resident; starved otherwise
 *     pass or stale when dialect = cl12 and access = plain
 *     pass when progress >= lobe
 *
 * `progress` has hsa, obe, hsa_obe, lobe and fair, each met if the device keeps that model or a stronger one: of
 * groups, or as in "progress >= item:obe" of the level that stands before it. Where a condition cannot be decided (a
 * limit that was not measured, a device of which nobody says what it keeps), and where no clause applies, there is no
 * expectation: the point is unpredicted. What it may come to all the same is what the clauses say that may apply.
 */
#pragma once

#include "base/error.h"
#include "core/progress_model.h"
#include "judge/cause.h"
#include "scenario/expression.h"

/* A name whose value is a word: dialect, poll, the kernel's options. */
struct word {
    const char *name;
    const char *value;
};

struct circumstances {
    struct scope numbers;
    const struct word *words;
    size_t word_count;
    struct models_kept kept; /* progress models that the device keeps */
};

/* What a rule comes to: sets of what its naming names. */
struct ruling {
    uint32_t expected; /* by the clause that applies; 0: it cannot be decided which one does, or none does */
    uint32_t possible; /* by all clauses of which any may apply */
    bool open;         /* perhaps none applies */
};

/*
 * Evaluates a rule over verdicts, or over causes. -1 with STATUS_USAGE if it cannot be read, wherever the fault stands.
 */
int expectation_evaluate(const char *rule, const struct circumstances *circumstances, const struct naming *naming,
                         struct ruling *ruling, struct error *error);

/* Evaluates a rule over rates, "stale <= 1/200 when groups > 1": sets what of *expected is about the rate, if a clause
 * applies. */
int expectation_evaluate_rate(const char *rule, const struct circumstances *circumstances, struct whole *expected,
                              struct error *error);

/*
 * Evaluates the condition of a clause alone, such as "dialect = cl12 and access = plain". Not met: nor is one
 * undecided.
 */
int expectation_is_met(const char *condition, const struct circumstances *circumstances, bool *met,
                       struct error *error);
