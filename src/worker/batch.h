/* A trial on the device: its batch of launches. */
#pragma once

#include "device/session.h"
#include "wire/wire.h"

#include <stdbool.h>

/* Where a batch sends what it sees. */
struct batch_sink {
    /* A launch is over (or, `suspected`, about to be stopped). Non-zero ends the batch. */
    int (*launch)(void *context, bool suspected, const struct wire_launch *launch);
    void *context;
};

/*
 * Runs the trial. *done, which has status STATUS_OK and outcome OUTCOME_ENDED, then says what kept it from running, if
 * anything did, and is poisoned if a kernel was left running. Never fails otherwise.
 */
void batch_run(struct session *session, const struct trial *trial, const struct batch_sink *sink,
               struct wire_done *done);

/* One step of the probe; updates session->probe. A step that fails leaves it as it was, and no kernel running. */
int probe_step(struct session *session, enum probe_step step, struct error *error);

/* A trivial kernel, then a barrier of one group: 0 if the device still works. */
int probe_canary(struct session *session, struct error *error);
