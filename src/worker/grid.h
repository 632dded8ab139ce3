/*
 * The words of a kernel that waits by gridlock.clh (src/emit): its waits give up when their fuse has burnt, so that a
 * launch of it ends on any device.
 */
#pragma once

#include "device/session.h"
#include "judge/observation.h"

/* Of a launch of so many groups. */
uint64_t grid_bytes(uint32_t groups);

/* Writes the fuse, in 64 polls, into words that are zero; 0: what gridlock_launch.h takes on this device. */
void grid_fill(const struct session *session, uint64_t fuse, unsigned char *words);

/*
 * Reads the words of a launch that has ended. If waits gave up, the observation has of how many groups (ended_total),
 * and the error's text says which. Returns the error of a call, or CL_SUCCESS.
 */
cl_int grid_read(const struct session *session, cl_mem words, struct observation *observation, struct error *error);
