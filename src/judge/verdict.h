/* Verdicts: what a launch means. A pure function of the trial and its observation. */
#pragma once

#include "core/naming.h"
#include "core/trial.h"
#include "judge/observation.h"

/* Version of the rules below; stored with each verdict, and raised whenever a rule changes. */
enum { VERDICT_RULES = 6 };

enum verdict {
    VERDICT_PASS,     /* every group ended, and every wait ended because its condition held */
    VERDICT_STALE,    /* every group ended, but a read across groups returned an old value */
    VERDICT_WRONG,    /* the launch ended, and the result is wrong for another reason, or groups are missing */
    VERDICT_STARVED,  /* it stalled, and a chain of waits ends in a group that never started */
    VERDICT_DEADLOCK, /* it stalled, and the waits of started groups form a circle */
    VERDICT_STALLED,  /* it stalled in any other way */
    VERDICT_LIVELOCK, /* the board changed for long, or until the total fuse blew, without progress */
    VERDICT_CUT,      /* a loop ended with neither its condition, its fuse nor the stop word true */
    VERDICT_HANG,     /* no evidence could be read in time; the worker was killed */
    VERDICT_CRASH,    /* the driver died */
    VERDICT_DEVICE_LOST,
    VERDICT_BUILD_FAILED,
    VERDICT_ERROR,        /* an OpenCL error */
    VERDICT_WEDGED,       /* the canary after a failure failed */
    VERDICT_INCONCLUSIVE, /* undecided */
    VERDICT_INCOMPLETE,   /* interrupted */
    VERDICT_UNSUPPORTED,  /* the device lacks a feature */
    VERDICT_NOT_RUN,      /* never started */
    VERDICT_COUNT,
};

/* First match wins. Where a rule is not obvious, its reason stands beside it in verdict.c. */
enum verdict verdict_judge(const struct trial *trial, const struct observation *observation);

/* The launch stalled: starved, deadlock or stalled. */
bool verdict_is_stall(enum verdict verdict);

/* The driver, the device, the compiler or a call failed, which no prediction is needed to call a failure. */
bool verdict_is_failure_of_the_device(enum verdict verdict);

/* A set of verdicts: bit v stands for enum verdict v. Expectations are sets; the empty one expects nothing. */
typedef uint32_t verdict_set;

bool verdict_is_in(enum verdict verdict, verdict_set set);

/*
 * Those of the verdicts that a limit which was counted too low does not explain: where it was, fewer groups are
 * expected to pass, and a launch is looked at for less long.
 */
verdict_set limit_unexplained(verdict_set verdicts);

/* "pass or stale", which naming_parse_set reads; "" for the empty set. */
void verdict_set_print(verdict_set set, char *text, size_t size);

NAMING_DECLARE(verdict, enum verdict);
