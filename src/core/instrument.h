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
 * A copy of the text with these put into the kernels of `count` different names, in allocated memory.
 * found[i] says whether a definition of kernels[i] was changed: a list of parameters, outside of all blocks, behind
 * its name or behind a list of which its name is an item, as a macro's, and then a body. A kernel that has none, since
 * a macro makes one of these, is left as it is, with its declarations and calls. Macros are not expanded, so whoever
 * builds the copy has to look whether the kernel has the parameter; and all alternatives of #if are changed.
 */
char *instrument_kernels(const char *text, const char *const *kernels, size_t count, const struct instrument *with,
                         bool *found);
