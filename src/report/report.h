/* What a run file says, whichever command made it. */
#pragma once

#include "report/audit.h"
#include "report/limits.h"
#include "report/progress.h"
#include "report/proofs.h"
#include "report/run.h"
#include "report/strain.h"
#include "report/watches.h"

struct report_head {
    struct store_run run; /* what it says about itself */
};

/*
 * Which command made it: the first that claims it (report/kind.c). In a file that was merged from runs of several,
 * litmus tests stand beside what is reported.
 */
enum report_kind {
    REPORT_LIMITS,
    REPORT_PROGRESS,
    REPORT_AUDIT,
    REPORT_PROOFS,
    REPORT_WATCH,
    REPORT_RUN,
    REPORT_KINDS
};

struct report {
    struct report_head *heads; /* a merged file has several */
    size_t head_count;
    struct store_share *shares; /* of runs and devices */
    size_t share_count;
    struct store_asserted *asserted; /* by their devices */
    size_t asserted_count;
    bool only_asserted;            /* nothing else is a case */
    struct device_strain *strains; /* of devices */
    size_t strain_count;
    char path[4096]; /* of the file */
    enum report_kind kind;
    /* The one of its kind is filled in. */
    struct limits_report limits;
    struct run_report run;
    struct progress_report progress;
    struct audit_report audit;
    struct proofs_report proofs;
    struct watches_report watches;
    struct progress_expectation expectation; /* of `progress`: by all its runs */
};

/* All its runs are of kernels that were tried: it is a run whose points are launches of them. */
bool report_is_of_tries(const struct report *report);

/* What a run is of. 0, or -1. */
int report_read_kind(struct store *store, enum report_kind *kind, struct error *error);

const char *report_kind_name(enum report_kind kind);   /* "run" */
bool report_kind_is_of_tests(enum report_kind kind);   /* litmus tests */
const char *report_units(const struct report *report); /* "points": what its plan consists of */

/*
 * Whether runs of these kinds can be compared; if not, *of is what only one of them is of, and *second whether it is
 * b.
 */
bool report_kinds_compare(enum report_kind a, enum report_kind b, const char **of, bool *second);

/* Whether runs of these kinds can be merged; if not, as report_kinds_compare. */
bool report_kinds_merge(enum report_kind a, enum report_kind b, const char **of, bool *second);

/*
 * Reads what the runs say about themselves, and what they were to do, into a report that is zeroed or has its kind.
 * Returns 0, or -1.
 */
int report_read_runs(struct report *report, struct store *store, struct error *error);
void report_runs_fini(struct report *report); /* as if they had not been read */

/* Returns the run with that id, or NULL. */
const struct store_run *report_run(const struct report *report, int64_t id);

/*
 * Reads the same into a zeroed report, its kind, and what is expected: all but what was measured. Call report_fini even
 * on failure.
 */
int report_read_heads(struct report *report, struct store *store, struct error *error);

/* Fills in a zeroed report. Returns 0, or -1; what could be read is in the report anyway. */
int report_read(struct report *report, struct store *store, struct error *error);
void report_fini(struct report *report);

/* Reads what was measured alone, into a report that has its kind. Returns 0, or -1. */
int report_read_measured(struct report *report, struct store *store, struct error *error);

/* What was asserted of the device with this id, or, if it is 0, of any. */
struct asserted_counts {
    size_t all, failed, undecided;
};
struct asserted_counts report_asserted(const struct report *report, int64_t device);

/*
 * As of the command that made the run, and STATUS_STOPPED if that came to no end. *verdicts: those of its points; of
 * footprints those that kept them from being measured; of promises their outcomes. A shard without a part of the plan
 * has done it, so it is STATUS_OK; where what was chosen left no plan, that is STATUS_USAGE.
 */
enum status report_status(const struct report *report, verdict_set *verdicts);

/* The same of a run that has just ended here, which is complete unless there was nothing to measure. */
enum status report_measured_status(const struct report *report, verdict_set *verdicts);
const struct naming *report_outcomes(const struct report *report); /* what these are called */

/* One of its runs is of this command: a file that was merged may have several. */
bool report_has_command(const struct report *report, const char *command);

size_t report_device_count(const struct report *report);
const struct store_device *report_device(const struct report *report, size_t device); /* NULL: there are fewer */
