/*
 * The report of a limits run, read back from its run file: the stored trials are fed, in their
 * order, into the same search that asked for them, so the rows need no table of their own.
 */
#pragma once

#include "judge/batches.h"
#include "search/limiter.h"
#include "search/residency.h"
#include "search/search.h"
#include "store/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* What the trials by one of the estimators came to together; nothing was expected of them. */
struct limits_estimate {
    struct batches batches;
    uint32_t counted; /* the most groups that a census counted, or over which a barrier passed */
};

struct limits_row {
    struct search search;
    struct limit limit;
    enum limiter limited_by;
    struct residency residency; /* of the census that counted the most */
    bool incomplete;            /* its last trial was begun and never ended */
    char note[512];             /* what failed, or "" */
    uint32_t left_out;          /* optional parts that its kernels were built without, as bits */
    struct subject_facts facts; /* of a kernel of the user's, or of ours */
    enum subject_bound bound;   /* what its limit says of the kernel's: as ceiling_bound */
    uint32_t most; /* groups of it that can be resident, by kernels of ours (search/ceiling.h); 0: not known */
    struct limits_estimate estimates[ESTIMATOR_COUNT];
};

struct limits_device {
    struct store_device stored;
    struct limits_row *rows;
    size_t count;
    int64_t last_trial; /* the last one that was read */
    int safest;         /* row with the smallest passes_at; -1 if no row has one, or for kernels of the user's */
};

struct limits_report {
    struct limits_device *devices;
    size_t count;
};

/*
 * Reads what was stored since the last call; the first call takes a zeroed report. Returns 0, or -1: what could be read
 * is in the report all the same.
 */
int limits_report_update(struct limits_report *report, struct store *store, struct error *error);
void limits_report_fini(struct limits_report *report);

/*
 * The rows are of kernels of the user's. How many groups of such a kernel fit is shown by a barrier of ours in front of
 * it; whether its groups may wait for each other is not, so none of these rows is the safest.
 */
bool limits_is_of_subjects(const struct limits_device *device);

/* Returns whether at least one footprint was measured to its end: a run without one tells nothing of barriers. */
bool limits_came_to_an_end(const struct limits_device *device);

/* It is of a kernel of ours, which bounds those of others. */
bool limits_row_is_ours(const struct limits_row *row);

/* Up to so many groups surely fit; 0: none, or not known. */
uint32_t limits_row_fits(const struct limits_row *row);

/* As footprint_print; of files with the same name in different folders, with the end of the folder. */
void limits_row_name(const struct limits_device *device, const struct limits_row *row, char *text, size_t size);

/* Why a row was not measured. */
enum verdict limits_row_refusal(const struct limits_row *row);

/*
 * What the driver says otherwise of a kernel of the user's: its groups were to have more work-items than it says are
 * possible (CL_KERNEL_WORK_GROUP_SIZE). False, and "": it does not.
 */
enum { LIMITS_REMARK = 160 };
bool limits_row_remark(const struct limits_row *row, char text[LIMITS_REMARK]);

/* By limit_is_surprise. */
bool limits_row_is_surprise(const struct limits_device *device, const struct limits_row *row);

/*
 * The exit status that the report stands for: surprise, unsupported, wedged or OK. *verdicts: those that kept rows from
 * being measured.
 */
enum status limits_report_status(const struct limits_report *report, verdict_set *verdicts);
