/* Proves what launches need: all schedules of each are explored on a model device. */
#pragma once

#include "engine/catalog.h"
#include "engine/runner.h"
#include "engine/subjects.h"
#include "proof/request.h"

/* What is asked for: kernels of the user's, and scenarios with as few groups as are asked. */
struct prove_asked {
    const struct subject_request *subjects; /* files, kernels, and the shapes of groups; without files: none */
    const struct catalog *catalog;          /* scenarios */
    const struct nd_range *groups;          /* how many work-groups there are in each dimension; each by itself */
    size_t group_count;
    uint32_t rounds; /* of kernels of scenarios; 0: as in the scenario, but few */
};

struct prove {
    const struct run_settings *settings;
    struct executor executor;
    struct prove_asked asked;
    const struct proof_request *request; /* arguments and budget: the trial is filled in for each launch */
    /* Told when a launch has been explored, and how many were wrong or could not be; or NULL. */
    void (*launch_ended)(void *context, uint64_t done, uint64_t own, uint64_t failed);
    void *context;
};

/* Returns 0, or -1 after an error; what was proved is in the store. */
int prove_device(struct prove *prove, const struct device_info *device, struct error *error);
