/* Proves what launches of kernels of the user's need: all schedules of each are explored on a model device. */
#pragma once

#include "engine/runner.h"
#include "engine/subjects.h"
#include "proof/request.h"

struct prove {
    const struct run_settings *settings;
    struct executor executor;
    const struct subject_request *subjects; /* files, kernels, and the sizes of groups */
    const uint64_t *groups;                 /* numbers of work-groups */
    size_t group_count;
    const struct proof_request *request; /* arguments and budget: the rest is filled in for each launch */
    /* Told when a launch has been explored; or NULL. */
    void (*launch_ended)(void *context, uint64_t done, uint64_t own);
    void *context;
};

/* Returns 0, or -1 after an error; what was proved is in the store. */
int prove_device(struct prove *prove, const struct device_info *device, struct error *error);
