/*
 * Causes: why a launch came to its verdict. A cause refines a verdict and never replaces it. Like the verdict it is
 * a pure function of the trial and its observation.
 */
#pragma once

#include "judge/observation.h"
#include "judge/verdict.h"
#include "judge/whole.h"

enum cause {
    CAUSE_NONE,           /* it passed, or failed in a way that no board explains */
    CAUSE_LOOP_CUT,       /* the driver ended a loop that still waited */
    CAUSE_LIVELOCK,       /* the board changed all the time, and nobody came further */
    CAUSE_NOT_PUBLISHED,  /* what a group waits for is true in memory, and it does not see it */
    CAUSE_OCCUPANCY,      /* the groups inside wait for one that finds no place */
    CAUSE_NOT_DISPATCHED, /* they wait for one that was not started, although places were free */
    CAUSE_CIRCULAR_WAIT,  /* groups wait for each other in a circle */
    CAUSE_WORK_ITEMS,     /* work-items of one group block each other */
    CAUSE_LOST_UNLOCK,    /* nobody is left who could drop the lock */
    CAUSE_UNEQUAL_TRIPS,  /* a group ended before a round for which others wait for it */
    CAUSE_LOST_ARRIVAL,   /* all have arrived at a barrier, and its word does not say so */
    CAUSE_LOST_SIGNAL,    /* the group that should have written the word has ended */
    CAUSE_STALE_DATA,     /* a wait ended, and data of before were read: too early, or they were not made visible */
    CAUSE_SLOW,           /* it was still getting on when its fuse blew, or when its time was up */
    CAUSE_BUSY,           /* a group was in no wait when its time was up, or a fuse blew: it may compute, or hang */
    CAUSE_UNKNOWN,        /* undecided: the evidence fits none of these */
    CAUSE_COUNT,
};

/* First match wins; the order and each rule's evidence stand in cause.c. */
enum cause cause_judge(const struct trial *trial, const struct observation *observation);

/* A set of causes: bit c stands for enum cause c. */
typedef uint32_t cause_set;

/* What a point may come to: sets of rules, where the empty one expects nothing, and what is known to happen instead. */
struct expected {
    verdict_set verdicts; /* predicted */
    verdict_set
        allowed; /* where none were predicted: those that the rule leaves open; 0: not known, as in older files */
    cause_set causes;
    verdict_set tolerated;
    struct whole whole; /* of the point as a whole */
};

/* What a point is in the lists of what is known: it fails always, or surprises now and then. */
enum known_as { KNOWN_AS_NOTHING, KNOWN_AS_FAILURE, KNOWN_AS_FLAKE, KNOWN_AS_COUNT };

/*
 * The verdict was neither predicted nor, where none was, left open, and it is not known to happen instead. Where
 * nothing was predicted, that a launch was undecided contradicts nothing; where it is not known, either, what was left
 * open, only a failure of the device is a surprise. What a device does not offer, or was not run, is no surprise, nor
 * that a device which cuts loops (`loops_cut`) cuts one, or undecided because fuses are short there.
 */
bool verdict_is_surprise(const struct expected *expected, enum verdict verdict, bool loops_cut);

/* A launch with this verdict and cause is a surprise: by verdict_is_surprise, or by cause_is_surprise. */
bool expected_is_surprise(const struct expected *expected, enum verdict verdict, enum cause cause, bool loops_cut);

/*
 * The launch came to be as it is for another reason than was expected: `expected` is a rule's set, and the empty one
 * expects nothing. A pass has no cause, and a device that cuts loops (`loops_cut`) may come to any that follows from
 * it.
 */
bool cause_is_surprise(enum cause cause, cause_set expected, bool loops_cut);

NAMING_DECLARE(known_as, enum known_as);   /* "", "failure", "flake" */
NAMING_DECLARE(cause, enum cause);         /* "occupancy", as in scenarios and run files */
const char *cause_title(enum cause cause); /* "starvation by occupancy", for people */
