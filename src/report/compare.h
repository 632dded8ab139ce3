/*
 * What changed between two runs: regressions, fixes, points that have become flaky, new ones and those that are gone,
 * limits that moved, and what is published. report/pairing.h says which devices are the same; their drivers may be
 * others, which is what the comparison is for.
 */
#pragma once

#include "report/compare_progress.h"
#include "report/pairing.h"
#include "report/report.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum change {
    CHANGE_REGRESSION, /* as expected before, and not now; or each launch passed before, and one does not now */
    CHANGE_FIX,        /* the other way round */
    CHANGE_FLAKY,      /* always the same before, and now and then another verdict now */
    CHANGE_OTHER,      /* other verdicts, neither better nor worse */
    CHANGE_NEW,
    CHANGE_GONE,
};
enum { CHANGE_COUNT = 6 };

/* A point, or a promise, in both runs, or in one: then the other's verdicts are 0. */
struct compare_point {
    char *id;
    const struct naming *naming; /* of the verdicts; of a promise keeping_naming */
    verdict_set before, after;
    verdict_set expected;
    enum change change;
    bool publication; /* its scenario is about what is published */
};

/*
 * The resident limit of a line of points (id without groups), or of a footprint, or the measured amount of a promise; 0: not
 * measured.
 */
struct compare_limit {
    char *line;
    uint32_t before, after;
};

struct compare_device {
    const struct device_info *before, *after; /* NULL: it is in the other run only */
    enum pairing paired_by;
    struct compare_point *points; /* those that changed */
    size_t point_count;
    struct compare_limit *limits; /* those that moved */
    size_t limit_count;
    size_t same;                             /* points that did not change */
    struct compare_progress_device progress; /* instead, of runs of litmus tests */
};

struct comparison {
    struct report before, after;
    bool of_tests; /* litmus tests */
    struct compare_device *devices;
    size_t count;
};

/* Compares two runs, both of litmus tests, both audits, or neither. 0, or -1. To be freed in any case. */
int compare_runs(struct store *before, struct store *after, const struct device_pairs *pairs,
                 struct comparison *comparison, struct error *error);
void comparison_fini(struct comparison *comparison);

/* A limit that is lower than before counts as a regression, too. */
bool comparison_has_regression(const struct comparison *comparison);

/* Both runs came to their end, so that what is missing in one was no part of it. */
bool comparison_is_complete(const struct comparison *comparison);

NAMING_DECLARE(change, enum change);
