/* What a run file says, whichever command made it, and the formats that it is written in. */
#ifndef GRIDLOCK_REPORT_REPORT_H
#define GRIDLOCK_REPORT_REPORT_H

#include "report/limits.h"
#include "report/progress.h"
#include "report/run.h"

/* What a run says about itself. */
struct report_head {
    char uuid[37];
    char *tool_version, *command_line, *host;
    int64_t started_ms;
};

/* Which command made it. In a file that was merged from runs of several, litmus tests stand beside what is reported. */
enum report_kind { REPORT_RUN, REPORT_LIMITS, REPORT_PROGRESS };

struct report {
    struct report_head *heads; /* a merged file has several */
    size_t head_count;
    enum report_kind kind;
    /* The one of its kind is filled in. */
    struct limits_report limits;
    struct run_report run;
    struct progress_report progress;
    struct progress_expectation expectation; /* of `progress`: by all its runs */
};

/* What a run is of. 0, or -1. */
int report_read_kind(struct store *store, enum report_kind *kind, struct error *error);

/* Fills in a zeroed report. Returns 0, or -1: what could be read is in the report all the same. */
int report_read(struct report *report, struct store *store, struct error *error);
void report_fini(struct report *report);

/* As of the command that made the run. */
enum status report_status(const struct report *report);

/* The verdicts that its points had; of footprints those that kept them from being measured. */
verdict_set report_verdicts(const struct report *report);

size_t report_device_count(const struct report *report);
const struct store_device *report_device(const struct report *report, size_t device);

/* How many devices with the same names come before it: tells apart what formats know by name alone. */
size_t report_device_ordinal(const struct report *report, size_t device);

/* --- cases: a point, a footprint, or a model of progress, as test frameworks see it --- */

enum report_result {
    RESULT_PASS,
    RESULT_FAIL,    /* it came out otherwise than was expected */
    RESULT_ERROR,   /* the driver, the device, the compiler or a call failed */
    RESULT_SKIP,    /* unsupported */
    RESULT_UNKNOWN, /* undecided, or not run to its end */
    RESULT_KNOWN,   /* it failed as is known: its message says how */
};

/* Of a device's progress: a model, or what else may be wrong with its litmus tests. */
struct report_model {
    const struct progress_device *device;
    enum { CASE_MODEL, CASE_ENGINES, CASE_BLOCKS } about;
    enum litmus_model model;
    enum litmus_fairness fairness;
    bool expected; /* that the device keeps it */
};

struct report_case {
    const char *suite;       /* scenario, "limits" or "progress" */
    char name[RUN_ID_BYTES]; /* in its suite */
    enum report_result result;
    const char *type; /* its verdict, or what is wrong with the limit, or whether the model is broken */
    bool told;        /* its message is worth reading although it passed */
    uint64_t duration_ns;
    const struct run_point *point;    /* of a run */
    const struct limits_row *limit;   /* of limits */
    const struct report_model *model; /* of progress */
};

/* Calls `take` for each case of a device. */
void report_each_case(const struct report *report, size_t device,
                      void (*take)(void *context, const struct report_case *found), void *context);

/* A sentence that says what was seen, allocated; NULL: memory is short. */
char *report_case_message(const struct report_case *found);

/* --- formats --- */

/* Text alone has colours. */
typedef int report_writer(FILE *out, const struct report *report, const struct text_style *style, struct error *error);

/* The format's writer, or NULL. Whether the stream took it all, the caller finds out. */
report_writer *report_format_find(const char *name);

/* "text, json, ..." */
void report_format_names(char *names, size_t size);

report_writer report_write_text, report_write_json, report_write_jsonl, report_write_junit, report_write_tap,
    report_write_csv, report_write_markdown, report_write_lava, report_write_prometheus;

#endif
