/*
 * Which progress models a device was not seen to break, from what litmus tests came to on it.
 *
 * A model is refuted by a confirmed stall of a test that it guarantees to end, with the test's threads in the order
 * of the group ids (mapping_order). It is also refuted by a confirmed stall of any test, guaranteed or not, that stood
 * in a state that it does not allow (litmus/debt.h). A test that ends refutes nothing, and so does a stall that is not
 * confirmed, or not decided. A model that is not refuted holds, as far as is known.
 */
#pragma once

#include "base/error.h"
#include "core/block.h"
#include "litmus/judge.h"
#include "litmus/program.h"

#include <stdbool.h>
#include <stdint.h>

/* A test under a mapping, and what it came to. */
struct litmus_case {
    struct litmus_program program; /* as it is written, its threads not reordered */
    struct mapping mapping;
    enum block_engine engine; /* by which it was found */
    struct test_outcome outcome;
};

/* What is known of a model under weak or strong fairness; a case is a test under a mapping. */
struct litmus_standing {
    uint32_t guaranteed; /* cases that it guarantees to end */
    uint32_t ended;      /* of these: all launches ended */
    uint32_t refuting;   /* of these: a stall was confirmed */
    uint32_t undecided;  /* of these: neither; a stall not confirmed or not decided, or cut, or not run */
    uint32_t states;     /* cases, of all, of which a confirmed stall stood in a state that it does not allow */
    uint32_t doubtful;   /* as `states`, but the stall was not confirmed, and the case is not one of those undecided */
    /* If it is broken: one that it guarantees, or else of those states; of the fewest instructions, then threads, then
       the first as text, then by mapping. */
    struct litmus_case reason;
};

/* What a case says of the models. */
struct litmus_saying {
    struct litmus_verdicts guaranteed;
    uint32_t debtors; /* models that do not allow the state in which it stood, a bit each */
    bool confirmed;   /* of its stalls, one was */
    bool ended;       /* all its launches did; it is undecided if this is false, too */
};

/* -1 with STATUS_USAGE if the program has too many states to be judged. */
int litmus_interpret(struct litmus_judge *judge, const struct litmus_case *found, struct litmus_saying *saying,
                     struct error *error);

static inline bool litmus_is_debtor(const struct litmus_saying *saying, enum litmus_model model)
{
    return (saying->debtors >> model & 1) != 0;
}

/* It is refuted. */
static inline bool litmus_is_broken(const struct litmus_standing *standing)
{
    return standing->refuting > 0 || standing->states > 0;
}

/* Cases that might refute it, had they been decided. */
static inline uint32_t litmus_open(const struct litmus_standing *standing)
{
    return standing->undecided + standing->doubtful;
}

/* All zero is a new one. */
struct litmus_classification {
    bool partial;   /* tests of the plan are missing that might refute a model: models are not told apart */
    bool blind;     /* the driver ends loops, so that no stall can be confirmed: no model is told apart from others */
    uint32_t cases; /* so many were added */
    struct litmus_standing standings[LITMUS_MODELS][LITMUS_FAIRNESSES];
    struct litmus_judge judge;
};

/* As litmus_interpret. */
int litmus_classify(struct litmus_classification *classification, const struct litmus_case *added, struct error *error);

/*
 * Reads what a device may be expected to keep: "HSA_OBE", "lobe:weak", "fair:strong" ...; strong where nothing is said.
 * STATUS_USAGE.
 */
int litmus_read_promise(const char *text, enum litmus_model *model, enum litmus_fairness *fairness,
                        struct error *error);

/* It is not refuted. */
bool litmus_holds(const struct litmus_classification *classification, enum litmus_model model,
                  enum litmus_fairness fairness);

/*
 * A device that keeps the first keeps the second, too: HSA and OBE are less than HSA_OBE, that is less than LOBE, and
 * that than FAIR; weak fairness is less than strong. Each implies itself.
 */
bool litmus_implies(enum litmus_model model, enum litmus_fairness fairness, enum litmus_model other,
                    enum litmus_fairness other_fairness);

/* Those that it implies, all under weak fairness. */
model_set litmus_implied(enum litmus_model model);

/*
 * There were tests that it guarantees and no weaker one does: guarantees are nested, so their numbers tell. Without
 * any, nothing is known of it that is not known of a weaker one.
 */
bool litmus_is_told_apart(const struct litmus_classification *classification, enum litmus_model model,
                          enum litmus_fairness fairness);

/*
 * It holds, is told apart from weaker models, and no other one of which this is true implies it: the device is
 * classified as this one, or as these.
 */
bool litmus_is_strongest(const struct litmus_classification *classification, enum litmus_model model,
                         enum litmus_fairness fairness);

/* What a device is classified as. */
enum litmus_class_kind {
    LITMUS_CLASS_UNFAIR,  /* no model holds */
    LITMUS_CLASS_UNKNOWN, /* the tests do not tell */
    LITMUS_CLASS_MODELS,  /* as the strongest ones */
};

enum litmus_class_kind litmus_class_kind(const struct litmus_classification *classification);

/* Returns the most cases that might refute one of the strongest models, had they been decided. */
uint32_t litmus_strongest_open(const struct litmus_classification *classification);

enum { LITMUS_CLASSES = 128 };

/*
 * As text: "LOBE", "HSA, OBE (weak)", ...; fairness is strong where nothing is said. "unfair" if none holds, and "not
 * known" if the tests do not tell. Whoever shows it shows litmus_strongest_open, too.
 */
void litmus_classes(const struct litmus_classification *classification, char text[LITMUS_CLASSES]);

void litmus_classification_fini(struct litmus_classification *classification);
