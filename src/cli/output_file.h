/*
 * `-o FILE` of commands that print from run files: what goes to stdout goes there. FILE is as it was, or has all that
 * was printed. One that is there is replaced, but never a run file, which is what -o names elsewhere.
 */
#pragma once

#include "cli/options.h"

/* The option: a part, of a const char *, NULL where it is not given. */
extern const struct command_line output_line;

/* Begins, before anything is printed; a path of NULL or "-" is stdout. -1: STATUS_USAGE. */
int output_begin(const char *path, struct error *error);

/* Ends it: 0, or the errno why something could not be written. `name`: where to. */
int output_end(const char **name);
