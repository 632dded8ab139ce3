/* Runs litmus tests on one device: first what it holds is counted, then block for block, then the limit is searched. */
#pragma once

#include "engine/progress_plan.h"
#include "engine/runner.h"

struct progress_run {
    const struct run_settings *settings;
    struct executor executor;
    const struct progress_axes *axes;
    const struct progress_tests *tests;
    bool limit;                    /* search it */
    uint64_t done, total, stalled; /* tests of the present device */
    /* Called when some of them have ended; may be NULL. */
    void (*tests_ended)(void *context, uint64_t done, uint64_t total, uint64_t stalled);
    void *context;
};

/* As runner_begin. */
int progress_device(struct progress_run *run, const struct device_info *device, struct error *error);

/* So many tests of the present block have ended, too. */
void progress_tick(struct progress_run *run, uint32_t done);
