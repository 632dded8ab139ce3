/* A launch of a litmus test that the host watches: the stall judge ends it if it stalls. */
#pragma once

#include "worker/litmus_launch.h"

/*
 * Launches the test once, watched through the channel; launches->judged says if the stall judge ended it. The fuse, in
 * looks of a group, is a net below the judge. -1: as litmus_launch_series.
 */
int litmus_launch_watched(struct litmus_launches *launches, uint32_t fuse_total, struct error *error);
