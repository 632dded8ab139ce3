/* A block of litmus tests on the device. */
#pragma once

#include "core/block.h"
#include "device/session.h"
#include "wire/wire.h"

/* Where a block sends what its tests came to. */
struct block_sink {
    int (*test)(void *context, const struct test_outcome *outcome); /* non-zero ends the block */
    void *context;
};

/*
 * Runs the tests, in their order. *done, which has status STATUS_OK and outcome OUTCOME_ENDED, then says what kept a
 * test from being run, if anything did. Never fails otherwise.
 */
void block_run(struct session *session, const struct block *block, const struct block_sink *sink,
               struct wire_done *done);
