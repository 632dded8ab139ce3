/*
 * Runs trials on one device: each is begun in the store, run, and ended there; then the device is looked after. In a run
 * that goes on, a trial that the store has is not run again: what was observed then is given instead.
 */
#ifndef GRIDLOCK_CLI_RUNNER_H
#define GRIDLOCK_CLI_RUNNER_H

#include "base/shard.h"
#include "base/tally.h"
#include "host/remote.h"
#include "litmus/emulate.h"
#include "store/store.h"

struct runner {
    struct remote *remote;
    const struct model_device *model; /* it is emulated, and there is no remote; or NULL */
    uint32_t seed;                    /* of what is left to chance there */
    /* Told many times a second how many tests of a block have come to their end there; or NULL. */
    void (*tick)(void *context, uint32_t done);
    void *tick_context;
    struct store *store;
    struct shard shard;
    enum channel channel; /* that is asked for */
    bool quiet;
    uint64_t wait_ns;         /* for a device that another run uses */
    uint64_t stall_budget_ns; /* 0: by the device */
    bool continued;
    bool retry_incomplete; /* of a run that goes on: trials that were begun and did not end are run again */
    bool force;            /* likewise: with another driver, too */
    struct store_device stored;
    struct tally names; /* of points that were asked for */
    int lock;           /* on the device; -1: none */
    bool wedged;        /* the device is not to be used any more */
};

/*
 * Locks the device, probes it, and adds it to the store; of a run that goes on, takes what the store knows of it. -1:
 * the device cannot be used (STATUS_UNSUPPORTED, STATUS_NO_DEVICE, STATUS_STOPPED), its driver is another one
 * (STATUS_USAGE), or the tool failed. To be followed by runner_end in any case.
 */
int runner_begin(struct runner *runner, const struct device_info *device, enum probe_depth depth,
                 const struct search_options *options, struct error *error);
void runner_end(struct runner *runner);

/* The same for a model device: runner->model. */
int runner_begin_model(struct runner *runner, struct error *error);

/*
 * Runs a trial; what it showed is in *result, to be freed with remote_result_fini in any case.
 * `prediction` may be NULL. What goes wrong on the device is part of the result; -1 only if the tool failed. A
 * scenario's trial that was begun in a run that goes on, and did not end then, has result->incomplete and no observation;
 * what a limit is searched with is run again.
 */
int runner_run(struct runner *runner, const struct trial *trial, const struct store_prediction *prediction,
               struct remote_result *result, struct error *error);

/*
 * Runs a block of litmus tests, likewise; `programs` are its tests in text form, and `position` is its place in the
 * plan. One that was begun in a run that goes on, and did not end then, has result->incomplete and no outcomes. To be
 * freed with remote_block_fini.
 */
int runner_block(struct runner *runner, const struct block *block, const char *suite, uint32_t position,
                 const char *const *programs, struct remote_block *result, struct error *error);

#endif
