/* Text files that a user names. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* By its name, which ends in .cl. */
bool file_is_kernel(const char *path);

/* Opens a regular file for reading. NULL, errno, and why not; a pipe or a device might never end, or never answer. */
FILE *file_open(const char *path, const char **reason);

/*
 * The text of the file, *length bytes and a 0 behind them, in allocated memory; at most `most_mib` MiB. `what` is what
 * messages call it ("scenario file"). NULL on failure, with STATUS_USAGE; with
 * STATUS_HARNESS if memory or descriptors are short.
 */
char *file_read(const char *path, const char *what, size_t most_mib, size_t *length, struct error *error);
