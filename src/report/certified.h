/*
 * One kernel on one device: what was proved of it, what the device holds, keeps and publishes, and launches of it as it
 * is, from the run files of gridlock certify, and whether that makes a certificate. In doubt it does not.
 */
#pragma once

#include "report/here.h"

/* Run files of a certificate, in their folder. */
enum certified_run {
    CERTIFIED_LIMITS,
    CERTIFIED_PROGRESS,
    CERTIFIED_PUBLICATION,
    CERTIFIED_PROOF,
    CERTIFIED_LAUNCHES, /* with as many groups as are safe, */
    CERTIFIED_MORE,     /* and with one more than fit */
    CERTIFIED_RUNS,
};
NAMING_DECLARE(certified_run, enum certified_run); /* "limits.gridlock" */

/* Launches of the kernel as it is with so many groups. */
struct certified_launches {
    uint32_t groups, launched, passed;
    enum verdict other; /* of one that did not pass */
    char note[512];     /* what is known of it, in words, or "" */
};

/* The first reason why there is no certificate. */
enum certified_doubt {
    CERTIFIED,
    CERTIFIED_NOT_KNOWN,    /* nothing was measured of the kernel on the device */
    CERTIFIED_REFUSED,      /* it is not safe there, or not known to be: the answer says why */
    CERTIFIED_NOT_COUNTED,  /* how many groups of it fit */
    CERTIFIED_UNPUBLISHED,  /* it is not known that the device publishes what is written in its dialect */
    CERTIFIED_TOO_MANY,     /* more groups were asked for than are safe */
    CERTIFIED_NOT_LAUNCHED, /* the kernel was not launched as it is */
    CERTIFIED_FAILED,       /* a launch did not pass although it was safe: `full`, */
    CERTIFIED_MORE_FAILED,  /* or, of any number of groups, `over` */
};

/* To be freed with certified_fini. */
struct certified {
    char *paths[CERTIFIED_RUNS]; /* those that are known, or NULL */
    struct here_runs runs;       /* of limits, progress, publication */
    struct store *proofs;
    struct report report;                 /* of these */
    const struct here *here;              /* of the kernel there, or NULL */
    uint32_t asked;                       /* groups for which it is to be safe; 0: as many as are */
    struct certified_launches full, over; /* with as many groups as are safe, or were asked for; and with one more
                                               than fit */
    enum certified_doubt doubt;
};

/* Begins it: reads what was proved and measured. Kernels of this dialect are launched; 0: of the device's best. */
int certified_read(struct certified *certified, enum dialect dialect, struct error *error);

/* The best dialect of the device whose limits were measured. */
enum dialect certified_dialect(const char *limits, struct error *error);

/* Reads the launches, if there is a path, and judges. */
int certified_judge(struct certified *certified, struct error *error);

/* So many groups are safe, if there is a certificate; UINT32_MAX: any number. */
uint32_t certified_groups(const struct certified *certified);

/* So many fit of the one shape that was measured; 0: not known. */
uint32_t certified_resident(const struct certified *certified);

/* That shape, or NULL. */
const struct here_fit *certified_fit(const struct certified *certified);

void certified_fini(struct certified *certified);
