#include "proof/needs.h"

#include <stdio.h>

/* What groups are promised. */
static const char *const turns[LITMUS_MODELS] = {
    [LITMUS_HSA] = "the lowest group gets turns",
    [LITMUS_OBE] = "started groups get turns",
    [LITMUS_HSA_OBE] = "the lowest and started groups get turns",
    [LITMUS_LOBE] = "started groups and lower ones get turns",
    [LITMUS_FAIR] = "all groups with a place get turns",
};

/* What is rather kept by devices comes first: GPUs give started groups turns. */
const unsigned proof_ranking[PROOF_PROMISES] = {PROOF_UNFAIR,   LITMUS_OBE,  LITMUS_HSA,
                                                LITMUS_HSA_OBE, LITMUS_LOBE, LITMUS_FAIR};

/* The least number of places from which on the promise is enough, or 0. */
static unsigned least_places(const struct proof_progress *progress, struct proof_promise promise)
{
    unsigned least = 0;

    for (promise.places = progress->groups; promise.places > 0 && proof_ends(progress, &promise); --promise.places)
        least = promise.places;
    return least;
}

/* The model promises fair execution wherever the other one does. */
static bool is_at_least(unsigned model, unsigned other)
{
    if (model == other || other == PROOF_UNFAIR)
        return true;
    if (model == PROOF_UNFAIR)
        return false;
    return model > other && model >= LITMUS_HSA_OBE;
}

static bool promises_all_of(const struct proof_promise *promise, const struct proof_promise *other)
{
    return is_at_least(promise->model, other->model) && promise->fairness >= other->fairness &&
           promise->places >= other->places;
}

/* One that was found before promises more than this one, or less. */
static bool is_needless(const struct proof_needs *needs, const struct proof_promise *promise)
{
    for (unsigned i = 0; i < needs->count; ++i)
        if (promises_all_of(promise, &needs->all[i]))
            return true;
    return false;
}

bool proof_needs_no_more(const struct proof_progress *progress, enum litmus_model model)
{
    struct proof_promise promise = {.model = model, .fairness = LITMUS_STRONG, .places = progress->groups};

    return model == LITMUS_FAIR ? proof_ends(progress, &promise) : least_places(progress, promise) == 1;
}

void proof_needs_find(const struct proof_progress *progress, struct proof_needs *needs)
{
    *needs = (struct proof_needs){.groups = progress->groups};
    /* A promise comes behind all that it could make needless, and has more places than one of the same model has. */
    for (unsigned i = 0; i < PROOF_PROMISES; ++i)
        for (enum litmus_fairness fairness = 0; fairness < LITMUS_FAIRNESSES; ++fairness) {
            struct proof_promise promise = {.model = proof_ranking[i], .fairness = fairness};
            promise.places = least_places(progress, promise);
            if (promise.places > 0 && !is_needless(needs, &promise))
                needs->all[needs->count++] = promise;
        }
}

enum { PLACES_TEXT = 40 };

/* "" where any number is enough. */
static void print_places(const struct proof_needs *needs, unsigned places, char text[PLACES_TEXT])
{
    if (places == 1)
        text[0] = '\0';
    else if (places == needs->groups)
        snprintf(text, PLACES_TEXT, "all %u groups resident", places);
    else
        snprintf(text, PLACES_TEXT, "%u of %u groups resident", places, needs->groups);
}

bool proof_needs_promise(const struct proof_needs *needs, char text[PROOF_NEEDS_TEXT])
{
    const struct proof_promise *first = &needs->all[0];
    char places[PLACES_TEXT];

    if (needs->count == 0 || (first->model == PROOF_UNFAIR && first->places == 1))
        return false;
    print_places(needs, first->places, places);
    if (first->model == PROOF_UNFAIR) {
        snprintf(text, PROOF_NEEDS_TEXT, "%s", places);
        return true;
    }
    /* Where all have a place, that all with one get turns goes without saying. */
    const char *turn = first->model == LITMUS_FAIR && first->places == needs->groups ? "" : turns[first->model];
    snprintf(text, PROOF_NEEDS_TEXT, "%s%s%s (%s%s)", turn, turn[0] != '\0' && places[0] != '\0' ? ", " : "", places,
             litmus_model_name((enum litmus_model)first->model),
             first->fairness == LITMUS_STRONG ? ", strongly fair" : "");
    return true;
}

const char *proof_needs_text(const struct proof_needs *needs, char text[PROOF_NEEDS_TEXT])
{
    static const char needed[] = "needs: ";
    char promise[PROOF_NEEDS_TEXT];

    if (proof_needs_promise(needs, promise))
        snprintf(text, PROOF_NEEDS_TEXT, "%s%.*s", needed, PROOF_NEEDS_TEXT - (int)sizeof needed, promise);
    else
        snprintf(text, PROOF_NEEDS_TEXT, "%s", needs->count == 0 ? "wrong on every device" : "ends on every device");
    return text;
}
