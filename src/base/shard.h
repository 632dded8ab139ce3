/* Shards: one part of so many of a plan, chosen by a stable hash of each trial's id. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

enum { SHARDS_MOST = 1000000 };

struct shard {
    uint32_t index; /* from 0 */
    uint32_t count; /* 0: the plan is not divided */
    const char *by; /* what chose it: "--shard", or a variable of the environment */
};

/*
 * Reads "i/n", 0 <= i < n, or "env": what GoogleTest, a Slurm job array, GitLab or Open MPI say in the environment.
 * STATUS_USAGE, also if none of them says anything, or two say different things.
 */
int shard_parse(const char *text, struct shard *shard, struct error *error);

/* What GoogleTest's variables say: whoever sets them wants a shard; count 0 if they are not set. STATUS_USAGE. */
int shard_of_gtest(struct shard *shard, struct error *error);

/* The trial is this shard's; `id` without a sequence. */
bool shard_has(const struct shard *shard, const char *id);
