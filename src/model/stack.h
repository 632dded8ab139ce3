/* How much stack the functions of a shared object need. */
#pragma once

#include "base/error.h"

#include <stddef.h>

/*
 * Sums up the frames of all functions of the file, as clang's -fstack-size-section leaves them in it: no chain of calls
 * needs more, as OpenCL C has no recursion. STATUS_HARNESS if the file cannot be read.
 */
int stack_of_file(const char *path, size_t *bytes, struct error *error);
