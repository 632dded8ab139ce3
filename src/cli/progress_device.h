/* Runs litmus tests on one device: first what it holds is counted, then block for block, then the limit is searched. */
#ifndef GRIDLOCK_CLI_PROGRESS_DEVICE_H
#define GRIDLOCK_CLI_PROGRESS_DEVICE_H

#include "cli/measure.h"
#include "cli/progress_plan.h"
#include "litmus/emulate.h"

struct progress_run {
    struct measurement *measurement;
    const struct progress_axes *axes;
    const struct progress_tests *tests;
    bool limit; /* search it */
    struct status_line status_line;
};

/* On a device, or, if `model` is not NULL, on that model device. As runner_begin. */
int progress_device(struct progress_run *run, const struct device_info *device, const struct model_device *model,
                    struct error *error);

#endif
