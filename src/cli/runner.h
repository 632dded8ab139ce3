/* Runs trials on one device: each is begun in the store, run, and ended there; then the device is looked after. */
#ifndef GRIDLOCK_CLI_RUNNER_H
#define GRIDLOCK_CLI_RUNNER_H

#include "host/remote.h"
#include "store/store.h"

struct runner {
    struct remote *remote;
    struct store *store;
    struct store_device stored;
    uint32_t sequence; /* of the next trial */
    bool wedged;       /* the device is not to be used any more */
};

/*
 * Runs a trial; what it showed is in *result, to be freed with remote_result_fini in any case.
 * `prediction` may be NULL. What goes wrong on the device is part of the result; -1 only if the tool failed.
 */
int runner_run(struct runner *runner, const struct trial *trial, const struct store_prediction *prediction,
               struct remote_result *result, struct error *error);

#endif
