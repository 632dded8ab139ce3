/*
 * Loops that do nothing for ever. Of `while (*p == 0);` with a plain word the compiler leaves one look at the word and
 * a jump to itself: nobody else may write the word then, so nothing ever ends the wait. Pure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether a program for this machine may have such a jump; false: it has none. */
bool endless_may_be(const void *object, size_t size);

/* The program, as assembly, in which each such loop calls `function` in every turn. Allocated. */
char *endless_mark(const char *assembly, const char *function);
