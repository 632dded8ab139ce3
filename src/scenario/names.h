/* Names of words in a kernel's header: NAME = EXPRESSION, i < COUNT, ... */
#pragma once

#include "scenario/entry.h"

/* Reads a family of words; false: it has another form. */
bool names_parse(const char *value, struct entry_names *names);

/* They are called the same, whatever letters their indexes have. */
bool names_are_alike(const struct entry_names *a, const struct entry_names *b);

/*
 * Resolves the names to numbers, for a workload whose number of words is known; the scope has the parameters as well.
 * STATUS_USAGE if a name is for what is no word, or for one that another name is for.
 */
int names_resolve(const struct kernel_entry *entry, const struct scope *scope, struct workload *work,
                  struct error *error);
