/*
 * Integer expressions, as scenario files and kernel headers use them:
 *
 *     integers, + - * / % ( ), min(a,b), max(a,b), ceil(a,b) (a / b rounded up), log2(a) (rounded up),
 *     variables, and NUMBERx VARIABLE (1.5x compute-units), rounded up.
 *
 * Names may contain '-' before a letter, so that local-size is one name and resident - 1 a difference.
 */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct variable {
    const char *name;
    int64_t value;
    bool known; /* false: it has no value yet, and neither has what is made of it */
};

struct scope {
    const struct variable *variables;
    size_t count;
};

/*
 * Evaluates `text`. 0: *value is set. 1: a variable in it is not known. -1, with STATUS_USAGE: it is no
 * expression, names no variable of the scope, divides by 0 or overflows 64 bits.
 */
int expression_evaluate(const char *text, const struct scope *scope, int64_t *value, struct error *error);

/* The same of a sum of multiples of indexes, and of what has none; the first variables of the scope are indexes. */
int expression_evaluate_linear(const char *text, const struct scope *scope, size_t indexes, int64_t *value,
                               struct error *error);
