/* Which launches are proved: of kernels of the user's, and of scenarios with as few groups as are asked. */
#pragma once

#include "engine/catalog.h"
#include "engine/subjects.h"

/* What is asked for. */
struct prove_asked {
    const struct subject_request *subjects; /* files, kernels, and the shapes of groups; without files: none */
    const struct catalog *catalog;          /* scenarios */
    const struct nd_range *groups;          /* how many work-groups there are in each dimension; each by itself */
    size_t group_count;
    uint32_t rounds; /* of kernels of scenarios; 0: as in the scenario, but few */
};

/*
 * Writes a new array of trials, which the caller frees. A scenario has each of its points once, with little to do for
 * each group, and without what does not matter where all schedules are explored: delays, and other launches. What it
 * launches over a range is left out. -1: as subjects_plan, or STATUS_USAGE if a scenario cannot be read.
 */
int prove_plan(const struct prove_asked *asked, const struct executor *executor, const struct device_info *device,
               const struct device_probe *probe, struct trial **trials, size_t *count, struct error *error);
