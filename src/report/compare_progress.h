/*
 * What changed between two runs of litmus tests: models of progress that a device breaks now or breaks no more, the
 * limit, and the tests that stall now or end now. report/pairing.h says which devices are the same.
 */
#pragma once

#include "base/error.h"
#include "core/block.h"
#include "report/chance.h"
#include "report/progress.h"
#include "store/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A test in both runs that ended in one and stalled in the other. */
struct compare_test {
    char *program;
    struct mapping mapping;
    enum block_engine engine;
    uint32_t local_size;
    bool guarded;
    bool stalls; /* now; otherwise it ends now */
};

struct compare_progress_device {
    const struct progress_device *before, *after; /* NULL: it is in one run only */
    struct compare_test *tests;                   /* those that changed, the shortest first */
    size_t test_count;
    size_t same;      /* tests that came to the same in both */
    size_t undecided; /* tests of which one of the runs says nothing */
    size_t only_before, only_after;
    /*
     * Of the tests that are in both runs: their launches, and those that refuted a model. Of a test that the model does not
     * guarantee that is one launch, the one whose state is known.
     */
    struct sample seen_before[LITMUS_MODELS][LITMUS_FAIRNESSES], seen_after[LITMUS_MODELS][LITMUS_FAIRNESSES];
};

/* Compares what two runs did on a device, whose reports are set. 0, or -1. To be freed in any case. */
int compare_progress(struct compare_progress_device *device, struct store *before, struct store *after,
                     struct error *error);
void compare_progress_fini(struct compare_progress_device *device);

/*
 * What became of a model that was broken in one of the runs only. Broken now, or no more, is one for which the tests that
 * are in both runs differ by more than chance (report/chance.h); of others nobody knows. Not tested in one of the runs:
 * nothing became of it.
 */
enum model_change { MODEL_SAME, MODEL_BROKEN, MODEL_KEPT, MODEL_BY_CHANCE };
enum model_change compare_model(const struct compare_progress_device *device, enum litmus_model model,
                                enum litmus_fairness fairness);
size_t compare_model_count(const struct compare_progress_device *device, enum model_change change);

/* The limit is another one, or was found in one of the runs only, though both looked for it. */
bool compare_limit_moved(const struct compare_progress_device *device);

/* How many of its tests stall now, or end now. */
size_t compare_test_count(const struct compare_progress_device *device, bool stalls);

/* A model is broken now, or the limit is lower. */
bool compare_progress_has_regression(const struct compare_progress_device *device);
