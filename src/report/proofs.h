/* The report of proofs, read back from their run file: what was proved of each launch. */
#pragma once

#include "judge/batches.h"
#include "proof/verdict.h"
#include "store/store.h"

#include <stddef.h>

struct here;
struct here_runs;

struct proof_row {
    int64_t run;        /* as in struct store_trial */
    struct trial trial; /* which launch */
    struct proof_result result;
    enum proof_verdict proved;
    struct batches batches; /* what a comparison asks for: of proof_verdicts instead of verdicts */
    enum verdict verdict;   /* VERDICT_PASS, or how exploring it failed */
    bool incomplete;        /* it was begun and did not end */
    bool exceeds;           /* it needs more than was allowed */
    bool unsafe;            /* its kernel is not safe on a device of --limits, with any number of groups */
    uint64_t duration_ns;
    char note[256]; /* what failed, or "" */
};

struct proofs_device {
    struct store_device stored;
    struct proof_row *rows; /* in the order in which they were asked for */
    size_t count;
    size_t of[PROOF_VERDICTS]; /* rows of each kind */
    size_t exceeding;          /* rows that need more than was allowed, or are unsafe */
    /* Each kernel on each device that run files tell of, by here_find (report/here.h). */
    struct here *here;
    size_t here_count;
    const struct here_runs *here_runs; /* these */
};

/* What launches are allowed to need, by --needs. */
struct proofs_allowed {
    bool given;
    enum litmus_model model;
};

struct proofs_report {
    struct proofs_allowed allowed; /* set before it is read */
    struct proofs_device *devices;
    size_t count;
};

/*
 * Fills a report that is zeroed but for what is allowed. Returns 0, or -1 after an error: what could be read is in the
 * report anyway.
 */
int proofs_report_read(struct proofs_report *report, struct store *store, struct error *error);
void proofs_report_fini(struct proofs_report *report);

/*
 * Surprise: a launch is wrong, races, has a wrong result, does what no kernel may, needs more than is allowed,
 * or is not safe on a device of --limits;
 * stopped: not all states of one were explored; unsupported: none was explored. *verdicts: of enum proof_verdict, a
 * bit each.
 */
enum status proofs_report_status(const struct proofs_report *report, uint32_t *verdicts);
