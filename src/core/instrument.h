/* Kernels of somebody's OpenCL C text with one more parameter and a first statement. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* What is put in; none of these has a line end, so the lines keep their numbers. */
struct instrument {
    const char *parameter; /* "__global uint *x": the last parameter of each head, of declarations as well */
    const char *argument;  /* the last argument of each call of one of the kernels */
    const char *statement; /* the first one of each definition ... */
    const char *called;    /* ... or this one, where one of the kernels calls it; NULL: the same */
};

/*
 * A copy of the text with these put into the kernels of `count` different names, in allocated memory; NULL: no memory.
 * found[i] says whether a definition of kernels[i] was changed. A kernel that has none, or whose head a macro makes, is
 * left as it is, with its declarations and calls. Macros are not expanded, and all alternatives of #if are changed.
 */
char *instrument_kernels(const char *text, const char *const *kernels, size_t count, const struct instrument *with,
                         bool *found);
