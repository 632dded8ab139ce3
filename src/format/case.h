/* Cases: a point, a footprint, a model of progress, or what became of the run, as test frameworks see it. */
#pragma once

#include "format/escape.h"
#include "report/extent.h"

#include <stdio.h>

enum report_result {
    RESULT_PASS,
    RESULT_FAIL,    /* it came out otherwise than was expected */
    RESULT_ERROR,   /* the driver, the device, the compiler or a call failed */
    RESULT_SKIP,    /* unsupported */
    RESULT_UNKNOWN, /* undecided, or not run to its end */
    RESULT_KNOWN,   /* it failed as is known: its message says how */
};

/* A case of a device's progress: a model, or what else may be wrong with its litmus tests. */
struct report_model {
    const struct progress_device *device;
    enum { CASE_MODEL, CASE_ENGINES, CASE_BLOCKS } about;
    enum litmus_model model;
    enum litmus_fairness fairness;
    bool expected; /* that the device keeps it */
};

/* What is said of a device, or of the run as a whole, beside the cases of the plan. */
enum report_note {
    NOTE_NONE,
    NOTE_SHARD,   /* which shards there are; it has passed */
    NOTE_WEDGED,  /* the device stopped working */
    NOTE_LEFT,    /* what was not run on it */
    NOTE_DEVICES, /* which devices were not begun */
    NOTE_ASSERTED /* what was asserted of the device: a case, but nothing was measured for it */
};

struct report_case {
    const char *suite;       /* scenario, "limits", "progress", "audit", "prove" or "watch" */
    char name[RUN_ID_BYTES]; /* in its suite */
    enum report_result result;
    const char *type; /* its verdict, or what is wrong with the limit, or whether the model is broken */
    enum cause cause; /* of a failure, where that is known */
    bool told;        /* its message is worth reading although it passed */
    bool plain;       /* its message is not worth a word: it passed as was expected */
    bool aside;       /* nothing is measured: it is worth a row only if it went wrong */
    enum report_note note;
    bool known_failure;
    uint64_t measured; /* in `unit`; 0: nothing */
    const char *unit;
    uint64_t duration_ns;
    /* What its kind of run knows it by. */
    const struct run_point *point;     /* of a run */
    const struct limits_row *limit;    /* of limits */
    const struct report_model *model;  /* of progress */
    const struct audit_row *promise;   /* of an audit */
    const struct proof_row *proof;     /* of a proof */
    const struct watches_row *watched; /* of a program that was watched */
    const struct report *report;       /* of a note */
    const struct extent *extent;
    const struct store_asserted *asserted;
    void (*message)(FILE *out, const struct report_case *found);
};

typedef void case_taker(void *context, const struct report_case *found);

/*
 * Cases stand under their devices. A run that did not come to its first device has one suite all the same, of a device
 * that is called "no device", in which it is said what was not run.
 */
size_t report_suite_count(const struct report *report);
const struct store_device *report_suite_device(const struct report *report, size_t suite);

/* Calls `take` for each case of a suite, what was asserted included, and at last for its notes; or for these alone. */
void report_each_case(const struct report *report, size_t device, case_taker *take, void *context);
void report_each_note(const struct report *report, size_t device, case_taker *take, void *context);

/* A sentence that says what was seen, allocated. */
char *report_case_message(const struct report_case *found);

/* Writes it as `escape` does. */
void report_case_write(FILE *out, const struct report_case *found, escaper *escape);
