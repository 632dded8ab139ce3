/* Enumerations whose values have names, and sets of them as text, "pass or stale". */
#pragma once

#include "base/error.h"

#include <stdint.h>

/* Value v is called names[v]; there are at most 32. */
struct naming {
    const char *const *names;
    int count;
    const char *kind; /* "verdict"; it and the next are for naming_parse_set alone */
    const char *some; /* examples, for messages: "pass, stale" */
};

/* Initializes a struct naming, which is no static one of a function: NAMING("auto", "always", "never"). */
#define NAMING(...)                                                                                                    \
    {                                                                                                                  \
        .names = (const char *const[]){__VA_ARGS__},                                                                   \
        .count = sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)                                           \
    }

/*
 * Declares x_naming, and x_name(value), the name of a value; and defines them, in one source file: for sets, with what
 * naming_parse_set calls a value, and with examples. `values` is how many the enumeration has, its last member.
 */
#define NAMING_DECLARE(x, type)                                                                                        \
    const char *x##_name(type value);                                                                                  \
    extern const struct naming x##_naming
#define NAMING_DEFINE(x, type, values, ...) NAMING_DEFINE_SETS(x, type, values, NULL, NULL, __VA_ARGS__)
#define NAMING_DEFINE_SETS(x, type, values, called, examples, ...)                                                     \
    _Static_assert(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *) == (values), "each has a name");        \
    const char *x##_name(type value)                                                                                   \
    {                                                                                                                  \
        return x##_naming.names[value];                                                                                \
    }                                                                                                                  \
    const struct naming x##_naming = {                                                                                 \
        .names = (const char *const[]){__VA_ARGS__},                                                                   \
        .count = sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *),                                          \
        .kind = called,                                                                                                \
        .some = examples,                                                                                              \
    }

int naming_find(const struct naming *naming, const char *name); /* the index, or -1 */

/* "pass, stale or wrong" */
void naming_print(const struct naming *naming, char *text, size_t size);

/* Those of which there are bits, value v by bit v, with `between` them. "" for the empty set. */
void naming_print_set(const struct naming *naming, uint32_t set, const char *between, char *text, size_t size);

/* Reads a set with " or " between its names. 0, or -1 with STATUS_USAGE if it names what is no such value. */
int naming_parse_set(const struct naming *naming, const char *text, uint32_t *set, struct error *error);
