/* Runs text through another program. */
#pragma once

#include "base/error.h"

#include <stdint.h>
#include <stdio.h>

/* A file without a name, which is gone once it is closed. NULL, with STATUS_HARNESS: there is no memory for it. */
FILE *filter_file(struct error *error);

/*
 * Runs arguments[0], which is looked for in PATH, with all of `input` (a filter_file) as its standard input, and
 * appends what it printed to `out` if it ended with exit status 0. The program reads and writes files, so that no pipe
 * can fill; it is killed when deadline_ms have passed, and has ended when this returns. Returns 0, 1 if there is no
 * such program, or -1 with STATUS_HARNESS and, if it failed, the first line that it printed to standard error.
 */
int filter_run(char *const *arguments, FILE *input, FILE *out, uint64_t deadline_ms, struct error *error);
