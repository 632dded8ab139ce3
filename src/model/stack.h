/* How much stack the functions of a shared object need. */
#pragma once

#include <stddef.h>

/*
 * Sums up the frames of all functions of a shared object, as clang's -fstack-size-section leaves them in it: no chain of
 * calls needs more, as OpenCL C has no recursion. 0: the file does not say.
 */
size_t stack_of_file(const char *file, size_t length);
