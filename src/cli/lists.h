/* Lists of what is known of devices before they are measured: --skips, --flakes and --baseline. */
#ifndef GRIDLOCK_CLI_LISTS_H
#define GRIDLOCK_CLI_LISTS_H

#include "scenario/known.h"

#include <argp.h>

/* They parse these options, of points or of promises; a child of the subcommand's parser, whose input is a struct known. */
extern const struct argp point_lists_argp, promise_lists_argp;

/*
 * Names the lines that say nothing of any `point` or `promise` of the run: one may be misspelt, or out of date.
 * matched[]: which are of use besides those that are marked; or NULL.
 */
void lists_name_unused(const struct known *known, const bool *matched, const char *of);

#endif
