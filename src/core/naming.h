/* Values with names, and sets of them as text, "pass or stale": verdicts and causes. */
#ifndef GRIDLOCK_CORE_NAMING_H
#define GRIDLOCK_CORE_NAMING_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* Value v of an enum is called names[v]; there are at most 32. */
struct naming {
    const char *const *names;
    int count;
    const char *kind; /* "verdict" */
    const char *some; /* examples, for messages: "pass, stale" */
};

int naming_find(const struct naming *naming, const char *name); /* -1: none */

/* Bit v of the set stands for value v. "" for the empty set. */
void naming_print_set(const struct naming *naming, uint32_t set, char *text, size_t size);

/* Reads such a text. 0, or -1 with STATUS_USAGE if it names what is no such value. */
int naming_parse_set(const struct naming *naming, const char *text, uint32_t *set, struct error *error);

#endif
