/* Lists of what is known of devices before they are measured: --skips, --flakes and --baseline. */
#pragma once

#include "cli/options.h"
#include "scenario/known.h"

enum { LISTS_MOST = 64 };

/* The files that were given, and what they say once they are loaded; and whether they may leave nothing. */
struct lists {
    struct known known;
    char *files[LISTS_MOST];
    int (*load[LISTS_MOST])(struct known *known, const char *path, struct error *error);
    size_t count;
    bool allow_empty; /* nothing may be left to run */
};

/* These options, of points or of promises: parts, of a struct lists. */
extern const struct command_line point_lists_line, promise_lists_line;

/* Reads the files: not while options are parsed, because those of a run that goes on may be a stranger's. */
int lists_load(struct lists *lists, struct error *error);

/*
 * Names the lines that say nothing of any `point` or `promise` of the run: one may be misspelt, or out of date.
 * matched[]: which are of use besides those that are marked; or NULL.
 */
void lists_name_unused(const struct known *known, const bool *matched, const char *of);
