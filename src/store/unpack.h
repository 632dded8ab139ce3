/* Run files that xz has packed: they are read from a temporary file. */
#pragma once

#include "base/error.h"

#include <stdint.h>

/* What a packed file may hold: more than any run, and less than would harm the machine. */
#define UNPACK_BYTES_MOST (UINT64_C(512) << 20)

/*
 * Sets *unpacked to the name, allocated, of a new file in TMPDIR or /tmp with what xz has packed, which the caller
 * removes; or to NULL if the file begins as none of xz's does. -1 with STATUS_USAGE if it is damaged, ends early, or
 * holds more than UNPACK_BYTES_MOST or no database; with STATUS_HARNESS if a file cannot be read or written, or if
 * memory is short. Opens the file and closes it, so this process loses locks that it has on it.
 */
int unpack_xz(const char *path, char **unpacked, struct error *error);
