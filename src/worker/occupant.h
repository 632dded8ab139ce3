/*
 * Occupants: work-groups of a second queue that stay resident while a kernel is examined; and burners: threads that
 * keep the host's processors busy meanwhile. It worked until something else ran, users say: this is something else, and
 * no hang.
 */
#pragma once

#include "core/trial.h"
#include "device/session.h"

enum { BURNERS_MOST = 64 };

struct occupant;
struct burners;

/* NULL with an error if the queue, its thread or memory cannot be had. Lives as long as the session. */
struct occupant *occupant_open(struct session *session, struct error *error);

/*
 * Launches work.numbers.held groups of the trial's size, and returns once all of them are resident. -1 with
 * STATUS_UNSUPPORTED if they do not become so, or if the device has no channel to end them by.
 */
int occupant_start(struct occupant *occupant, const struct trial *trial, uint32_t fuse_total, struct error *error);

/* Ends them. -1 with STATUS_UNSUPPORTED if they had ended before: the kernel examined did not run beside them. */
int occupant_stop(struct occupant *occupant, struct error *error);

/* Starts that many; NULL with STATUS_HARNESS if they cannot be. */
struct burners *burners_start(uint32_t count, struct error *error);
void burners_stop(struct burners *burners); /* NULL is fine */
