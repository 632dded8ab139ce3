/* Of known words the one that somebody who mistyped may have meant. */
#pragma once

#include <stddef.h>

struct nearest {
    const char *word;
    const char *found; /* the caller's; NULL: none is near */
    size_t distance;
};

struct nearest nearest_begin(const char *word);
void nearest_try(struct nearest *nearest, const char *candidate);

/* "; did you mean 'limits'?", or "" */
const char *nearest_print(const struct nearest *nearest, char *text, size_t size);
