/* Lists of what is known of devices before they are measured: --skips, --flakes and --baseline. */
#pragma once

#include "scenario/known.h"

#include <argp.h>

enum { LISTS_MOST = 64 };

/* The files that were given, and what they say once they are loaded. */
struct lists {
    struct known known;
    char *files[LISTS_MOST];
    int (*load[LISTS_MOST])(struct known *known, const char *path, struct error *error);
    size_t count;
};

/* They parse these options, of points or of promises; a child of the subcommand's parser, whose input is a struct lists. */
extern const struct argp point_lists_argp, promise_lists_argp;

/* Reads the files: not while options are parsed, because those of a run that goes on may be a stranger's. */
int lists_load(struct lists *lists, struct error *error);

/*
 * Names the lines that say nothing of any `point` or `promise` of the run: one may be misspelt, or out of date.
 * matched[]: which are of use besides those that are marked; or NULL.
 */
void lists_name_unused(const struct known *known, const bool *matched, const char *of);
