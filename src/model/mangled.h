/* Names of functions as clang mangles them, with the types of what they take. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { MANGLED_PARAMETERS = 8, MANGLED_NAME = 64 };

struct mangled_type {
    const char *element; /* "float", as the library calls it */
    unsigned width;      /* of a vector; 1: a scalar */
    bool pointer;        /* to that */
    bool global;         /* memory */
};

struct mangled {
    char name[MANGLED_NAME];
    struct mangled_type parameters[MANGLED_PARAMETERS];
    size_t parameter_count;
    bool is_unused; /* its result (model/ir_unused.h) */
};

/* Reads a name. Returns false if it is not mangled, or has types that no function of the library takes. */
bool mangled_read(const char *symbol, struct mangled *mangled);
