/* What stands in the place of a device: it answers as the test says, and counts what it is asked. */
#pragma once

#include "engine/executor.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct executor_double {
    /* Observations of the launches of the next trial; NULL: each launch passes. */
    uint32_t (*answer)(struct executor_double *device, const struct trial *trial, struct observation *observations);
    bool breaks;       /* a trial ends the worker ... */
    bool canary_fails; /* ... and the device */
    uint32_t resident; /* for what `answer` makes of it */
    int signal_at;     /* raise SIGTERM in this trial, from 1; 0: never */
    /* What it was asked. */
    unsigned taken, left, probed, went_on, trials, blocks, canaries;
    struct trial last;
    struct trial asked[64];
};

enum { DOUBLE_LAUNCHES = 64 };

/* A launch in which all groups passed what they waited for. */
static inline struct observation double_pass(const struct trial *trial)
{
    return (struct observation){.outcome = OUTCOME_ENDED,
                                .groups = trial->groups,
                                .board_read = true,
                                .started = trial->groups,
                                .done = trial->groups,
                                .witnesses = trial->groups,
                                .checked = trial->work.checks,
                                .waitfor = WAITFOR_NOTHING,
                                .duration_ns = 1000};
}

/* A launch that was seen to stall: so many groups wait, and the others never started. */
static inline struct observation double_starved(const struct trial *trial, uint32_t waiting)
{
    struct observation observation = {.outcome = OUTCOME_ENDED,
                                      .groups = trial->groups,
                                      .board_read = true,
                                      .judged = true,
                                      .confirmed = true,
                                      .started = waiting,
                                      .waiting = waiting,
                                      .late = trial->groups - waiting,
                                      .ended_stop = waiting,
                                      .waitfor = WAITFOR_NOTHING,
                                      .duration_ns = 1000};
    observation.waitfor.never_started = waiting;
    return observation;
}

static inline int double_take(void *self, const struct device_info *device, struct error *error)
{
    (void)device, (void)error;
    ((struct executor_double *)self)->taken += 1;
    return 0;
}

static inline void double_leave(void *self)
{
    ((struct executor_double *)self)->left += 1;
}

static inline int double_probe(void *self, const struct device_info *device, enum probe_depth depth,
                               struct device_probe *probe, struct error *error)
{
    (void)device, (void)depth, (void)error;
    ((struct executor_double *)self)->probed += 1;
    *probe = (struct device_probe){.dialect = DIALECT_CL30, .channel = CHANNEL_SHARED, .poll_ps = 1000};
    for (int i = 0; i < DIALECT_COUNT; ++i)
        probe->dialect_works[i] = true;
    return 0;
}

static inline void double_go_on(void *self, const struct device_info *device, const struct device_probe *probe)
{
    (void)device, (void)probe;
    ((struct executor_double *)self)->went_on += 1;
}

static inline int double_trial(void *self, const struct trial *trial, struct remote_result *result, struct error *error)
{
    struct executor_double *device = self;

    (void)error;
    if (device->trials < sizeof device->asked / sizeof *device->asked)
        device->asked[device->trials] = *trial;
    device->trials += 1;
    device->last = *trial;
    *result = (struct remote_result){.clean = !device->breaks, .duration_ns = 2000};
    result->observations = calloc(DOUBLE_LAUNCHES, sizeof *result->observations);
    ck_assert_ptr_nonnull(result->observations);
    if (device->answer != NULL)
        result->count = device->answer(device, trial, result->observations);
    else
        for (; result->count < trial->repeats && result->count < DOUBLE_LAUNCHES; ++result->count)
            result->observations[result->count] = double_pass(trial);
    if ((int)device->trials == device->signal_at)
        raise(SIGTERM);
    return 0;
}

static inline int double_block(void *self, const struct block *block, struct remote_result *result)
{
    struct executor_double *device = self;

    device->blocks += 1;
    remote_result_begin(result, block);
    result->clean = true;
    for (uint32_t i = 0; i < block->test_count; ++i)
        result->tests[result->test_count++] = (struct test_outcome){.test = i, .ran = 1};
    remote_result_end(result, &(struct observation){.outcome = OUTCOME_ENDED, .groups = block->groups});
    return 0;
}

static inline int double_run(void *self, const struct asked *asked, struct remote_result *result, struct error *error)
{
    return asked->block != NULL ? double_block(self, asked->block, result)
                                : double_trial(self, &asked->trial, result, error);
}

static inline int double_canary(void *self, struct supervisor_end *end, struct error *error)
{
    struct executor_double *device = self;

    (void)end;
    device->canaries += 1;
    return device->canary_fails ? error_set(error, STATUS_WEDGED, "the device no longer works") : 0;
}

static inline struct executor executor_of_double(struct executor_double *device)
{
    static const struct executor_operations operations = {
        .take = double_take,
        .leave = double_leave,
        .probe = double_probe,
        .go_on = double_go_on,
        .run = double_run,
        .canary = double_canary,
    };
    return (struct executor){&operations, device};
}
