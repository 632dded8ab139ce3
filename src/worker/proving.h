/*
 * Watches a launch on a device that proves stalls (CHANNEL_PROOF): there is nothing to sample and no time to wait, for
 * the device itself says when the host is to look, and stands until it answers.
 */
#pragma once

#include "worker/watch.h"

/* A launch is about to be enqueued. */
void proving_begin(const struct watch *watch);

/* It has ended, or is left where it stands. */
void proving_end(void);

/* Answers the device, if it waits for that. */
int proving_answer(struct watch *watch, struct error *error);
