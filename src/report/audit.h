/* The report of an audit, read back from its run file: what became of each promise. */
#pragma once

#include "judge/batches.h"
#include "promise/promise.h"
#include "store/store.h"

#include <stddef.h>

struct audit_row {
    const struct promise *promise;
    int64_t run; /* as in struct store_trial */
    struct finding finding;
    enum keeping keeping;
    struct batches batches; /* what a comparison asks for: of keepings instead of verdicts */
    enum known_as known;    /* it is known to be broken, or to be so at times */
    bool incomplete;        /* it was begun and did not end */
    enum verdict verdict;   /* VERDICT_PASS, or how the driver failed */
    uint64_t duration_ns;
    char note[256];    /* what failed, or "" */
    uint32_t left_out; /* optional parts that its kernels were built without, as bits */
    char quoted[sizeof((struct store_prediction *)0)->quoted];
};

struct audit_device {
    struct store_device stored;
    struct audit_row *rows; /* in the order of promises[] */
    size_t count;
    size_t kept[KEEPING_COUNT]; /* rows of each kind */
    size_t known;               /* broken ones, as is known */
    size_t mended;              /* that were known to be broken */
    size_t incomplete;
};

struct audit_report {
    struct audit_device *devices;
    size_t count;
};

/* Fills a zeroed report. Returns 0, or -1 after an error: what could be read is in the report anyway. */
int audit_report_read(struct audit_report *report, struct store *store, struct error *error);
void audit_report_fini(struct audit_report *report);

/* It is known which amount is promised. */
bool audit_row_is_offered(const struct audit_row *row);

/* There is a yes, a no, or an amount, and not only a driver that failed before there was one. */
bool audit_row_is_measured(const struct audit_row *row);

/* It is broken, as is known. */
bool audit_row_is_known(const struct audit_row *row);

/* It was known to be broken, and is not any more. */
bool audit_row_is_mended(const struct audit_row *row);

/*
 * Surprise: a promise is broken that was not known to be; unsupported: the device offers no promise; wedged, or OK.
 * *outcomes: a bit each.
 */
enum status audit_report_status(const struct audit_report *report, uint32_t *outcomes);
