/* The least that a device has to promise for a small launch to end. */
#pragma once

#include "proof/progress.h"

enum { PROOF_NEEDS = (int)PROOF_PROMISES * (int)LITMUS_FAIRNESSES, PROOF_NEEDS_TEXT = 128 };

struct proof_needs {
    unsigned groups;
    /* Each is enough, also with more places, and of no two does one promise all that the other does. The first is that
       which devices are the most likely to keep. */
    struct proof_promise all[PROOF_NEEDS];
    unsigned count; /* 0: no promise is enough */
};

/*
 * A device that keeps this model, strongly fair, is enough: with all groups resident for FAIR, else with any number of
 * places.
 */
bool proof_needs_no_more(const struct proof_progress *progress, enum litmus_model model);

/* All promises: from the weakest on, and what devices rather keep comes first. */
extern const unsigned proof_ranking[PROOF_PROMISES];

void proof_needs_find(const struct proof_progress *progress, struct proof_needs *needs);

/*
 * Writes the first in words: "started groups get turns (OBE)", "all 3 groups resident (FAIR)". Returns false if it ends
 * without a promise, or under none.
 */
bool proof_needs_promise(const struct proof_needs *needs, char text[PROOF_NEEDS_TEXT]);

/*
 * Writes that as a sentence, and returns it: "ends on every device", "wrong on every device",
 * "needs: started groups get turns (OBE)", "needs: all 3 groups resident (FAIR)".
 */
const char *proof_needs_text(const struct proof_needs *needs, char text[PROOF_NEEDS_TEXT]);
