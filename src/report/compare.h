/*
 * What changed between two runs: regressions, fixes, points that have become flaky, new ones and those that are gone,
 * limits that moved, and what is published; of litmus tests models that a device breaks now or breaks no more, the
 * limit, and the tests that stall now or end now. report/pairing.h says which devices are the same; their drivers may
 * be others, which is what the comparison is for.
 */
#pragma once

#include "report/pairing.h"
#include "report/report.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Launches, and those of them that were an event; never more. */
struct events_seen {
    uint64_t events, launches;
};

/* A test in both runs that ended in one and stalled in the other. */
struct compare_test {
    char *program;
    struct mapping mapping;
    enum block_engine engine;
    uint32_t local_size;
    bool guarded;
    bool stalls; /* now; otherwise it ends now */
};

struct compare_progress_device {
    enum block_level level;
    const struct progress_device *before, *after; /* at this level; NULL: it is in one run only */
    struct compare_test *tests;                   /* those that changed, the shortest first */
    size_t test_count;
    size_t same;      /* tests that came to the same in both */
    size_t undecided; /* tests of which one of the runs says nothing */
    size_t only_before, only_after;
    /*
     * Launches of the tests that are in both runs, and those that refuted a model. A test that the model does not
     * guarantee counts one launch, the one whose state is known.
     */
    struct events_seen seen_before[LITMUS_MODELS][LITMUS_FAIRNESSES], seen_after[LITMUS_MODELS][LITMUS_FAIRNESSES];
};

enum change {
    /*
     * As expected before, and not now; or all launches passed before, and none does now. Or a seeded fault (a
     * scenario mutant_* or cause_*): not all passed before, and all do now. Or a measured footprint is not there.
     */
    CHANGE_REGRESSION,
    CHANGE_FIX,   /* the other way round */
    CHANGE_FLAKY, /* always the same before, and now and then another verdict now */
    CHANGE_OTHER, /* other verdicts, neither better nor worse */
    CHANGE_NEW,
    CHANGE_GONE,
    CHANGE_COUNT,
};

/* A point, or a promise, in both runs, or in one: then the other's verdicts are 0. */
struct compare_point {
    char *id;
    const struct naming *naming; /* of the verdicts; of a promise keeping_naming */
    verdict_set before, after;
    verdict_set expected;
    enum change change;
    bool surprise;    /* now */
    bool publication; /* its scenario is about what is published */
    size_t cause;     /* the limits from whose move it follows, or COMPARE_NO_CAUSE */
};
#define COMPARE_NO_CAUSE ((size_t)-1)

/*
 * The resident limit of a line of points (id without groups), or of a footprint, or the measured amount of a promise;
 * 0: not measured.
 */
struct compare_limit {
    char *line;
    uint32_t before, after;
    size_t cause;
    bool alone; /* of a footprint or promise whose outcome is the same: it does not count among the points */
};

/*
 * Limits that moved in the same way. A point follows from the move if its line's limit is one of them, and its outcome
 * is what the other run had at as many multiples of the limit, or what either limit predicted.
 */
struct compare_cause {
    uint32_t before, after;
    size_t limits, points;
};

/* A line of points, a footprint, or a promise, that both runs have, or a footprint that was lost. */
struct compare_line {
    char *name;
    uint32_t before, after; /* its limit, as of struct compare_limit */
    size_t worse;           /* of its points, those that regressed, or 1 */
    size_t first;           /* of these, as a point of the device */
};

struct compare_device {
    const struct device_info *before, *after; /* NULL: it is in the other run only */
    enum pairing paired_by;
    struct compare_point *points; /* those that changed */
    size_t point_count;
    struct compare_limit *limits; /* those that moved */
    size_t limit_count;
    struct compare_line *lines;
    size_t line_count;
    struct compare_cause *causes;
    size_t cause_count;
    size_t same;                             /* points that did not change */
    bool whole;                              /* the second run has all of its plan */
    struct compare_progress_device progress; /* instead, of runs of litmus tests */
};

struct comparison {
    struct report before, after;
    bool of_tests; /* litmus tests */
    struct compare_device *devices;
    size_t count;
};

/*
 * Compares two runs, both of litmus tests, both audits, or neither. 0, or -1: STATUS_USAGE if one is of limits and the
 * other of scenarios. To be freed in any case.
 */
int compare_runs(struct store *before, struct store *after, const struct device_pairs *pairs,
                 struct comparison *comparison, struct error *error);
void comparison_fini(struct comparison *comparison);

/* A limit that is lower than before counts as a regression, too. */
bool comparison_has_regression(const struct comparison *comparison);

/* Nothing is in both runs. */
bool comparison_is_void(const struct comparison *comparison);

/* How many points, footprints or promises of a device are what; one that follows is also one of the others. */
struct compare_counts {
    size_t worse, better, changed, same, missing, new, follow;
};
struct compare_counts compare_count(const struct compare_device *device);

/*
 * What the second run was to show, for its file and for reports: of each line of points, footprint, promise or model
 * in both runs, that it is no worse than in the first. *rows is allocated (free it), with devices by their rows in
 * the second file.
 */
void comparison_assert(const struct comparison *comparison, struct store_asserted **rows, size_t *count);

/* Both runs came to their end, so that what is missing in one was no part of it. */
bool comparison_is_complete(const struct comparison *comparison);

NAMING_DECLARE(change, enum change);

/* --- litmus tests (compare_progress.c) --- */

/*
 * Fisher's exact test (two-sided): how probable a difference as improbable as this one is, if the events come at the
 * same rate in both. 1 where one of them has no launches.
 */
double chance_of(struct events_seen a, struct events_seen b);

#define CHANCE_AT_MOST 0.05 /* where a difference is taken for one: 95 % */

/* Compares what two runs did on a device, whose reports are set. 0, or -1. To be freed in any case. */
int compare_progress(struct compare_progress_device *device, struct store *before, struct store *after,
                     struct error *error);
void compare_progress_fini(struct compare_progress_device *device);

/*
 * What became of a model that was broken in one of the runs only. Broken now, or no more, is one for which the tests
 * that are in both runs differ by more than chance; of others nobody knows. Not tested in one of the runs: nothing
 * became of it.
 */
enum model_change { MODEL_SAME, MODEL_BROKEN, MODEL_KEPT, MODEL_BY_CHANCE };
enum model_change compare_model(const struct compare_progress_device *device, enum litmus_model model,
                                enum litmus_fairness fairness);
size_t compare_model_count(const struct compare_progress_device *device, enum model_change change);

/* The limit is another one, or was found in one of the runs only, though both looked for it. */
bool compare_limit_moved(const struct compare_progress_device *device);
bool compare_limit_is_lower(const struct compare_progress_device *device); /* no limit at all is the highest */

/* How many of its tests stall now, or end now. */
size_t compare_test_count(const struct compare_progress_device *device, bool stalls);

/* A model is broken now, or the limit is lower. */
bool compare_progress_has_regression(const struct compare_progress_device *device);
