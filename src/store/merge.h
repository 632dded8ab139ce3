/* The union of run files: shards of one run, or runs of several devices and drivers. */
#pragma once

#include "base/error.h"

#include <stddef.h>

/* What a merge found. */
struct merge_summary {
    size_t runs;   /* different ones in all files */
    size_t trials; /* in the merged file */
    size_t twice;  /* trials that more than one file had, with the same verdicts, and the same of each test */
    /*
     * Trials, and tests of a block, with other verdicts; and files of the same name that the runs were made of, with
     * other contents.
     */
    size_t conflicts;
};

/*
 * Which boards the merged file has. MERGE_BOARDS_CLASS: of all launches on a device of one kernel that did not pass
 * and came to the same verdict and cause, the smallest.
 */
enum merge_boards { MERGE_BOARDS_ALL, MERGE_BOARDS_CLASS };

/* Who is told of each conflict. */
struct merge_teller {
    void (*conflict)(void *context, const char *what, const char *kept, const char *other);
    void *context;
};

/*
 * Writes a new file `path` that has all runs, devices and trials of the `count` files, each once. It does not depend on
 * their order. A trial that several have is taken from a file in which it ended, and of these from that in which it
 * took the least time. `teller` is told of each trial on whose verdicts two files do not agree, however many launches
 * had them, and of each source on whose digest they do not. STATUS_USAGE: a file is no run file of this schema, or
 * `path` exists.
 *
 * Each test of a block that both ran is compared as a trial is, by what its launches came to, and not how many came to
 * it: "ended", "stalled" ("suspected" if none of the stalls was confirmed), "undecided" and "cut". So it is a conflict
 * that a test stalled now and then in one run, and never in the other. Not to have run a test is no conflict.
 */
int merge_files(const char *path, char *const *files, size_t count, enum merge_boards boards,
                struct merge_summary *summary, const struct merge_teller *teller, struct error *error);
