/* Shards: one part of so many of a plan, chosen by a stable hash of each trial's id. */
#ifndef GRIDLOCK_BASE_SHARD_H
#define GRIDLOCK_BASE_SHARD_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct shard {
    uint32_t index; /* from 0 */
    uint32_t count; /* 0: the plan is not divided */
};

/* Reads "i/n", 0 <= i < n. STATUS_USAGE. */
int shard_parse(const char *text, struct shard *shard, struct error *error);

/*
 * What GoogleTest, a Slurm job array, GitLab or Open MPI say in the environment, in this order; *source names the
 * variable, or is NULL if none of them does. STATUS_USAGE if a number there is none.
 */
int shard_from_environment(struct shard *shard, const char **source, struct error *error);

/* The trial is this shard's; `id` without a sequence. */
bool shard_has(const struct shard *shard, const char *id);

#endif
