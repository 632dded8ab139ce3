/* Cases: a point, a footprint, or a model of progress, as test frameworks see it. */
#ifndef GRIDLOCK_FORMAT_CASE_H
#define GRIDLOCK_FORMAT_CASE_H

#include "report/report.h"

#include <stdio.h>

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

#endif
