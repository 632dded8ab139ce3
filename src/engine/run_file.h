/* Where a run file is put, and what it says about the run. */
#pragma once

#include "base/error.h"
#include "base/shard.h"
#include "store/store.h"

#include <stddef.h>

/*
 * Creates the run file: at `path`, or, if it is NULL, under the user's state directory
 * ($XDG_STATE_HOME/gridlock, or ~/.local/state/gridlock). `chosen` receives the path.
 */
int run_file_create(const char *path, int count, char **arguments, const struct shard *shard, char *chosen, size_t size,
                    struct store **store, struct error *error);

/* Writes where run files are put unless a path is given; the folder need not be there. */
int run_file_folder(char *folder, size_t size, struct error *error);

/* Opens one to go on with it; *shard is then as it was. */
int run_file_continue(const char *path, struct store **store, struct shard *shard, struct error *error);
