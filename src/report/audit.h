/* The report of an audit, read back from its run file: what became of each promise. */
#ifndef GRIDLOCK_REPORT_AUDIT_H
#define GRIDLOCK_REPORT_AUDIT_H

#include "core/batches.h"
#include "core/promise.h"
#include "store/store.h"

#include <stddef.h>

struct audit_row {
    const struct promise *promise;
    struct finding finding;
    enum keeping keeping;
    struct batches batches; /* what a comparison asks for: of keepings instead of verdicts */
    bool incomplete;        /* it was begun and did not end */
    enum verdict verdict;   /* VERDICT_PASS, or how the driver failed */
    uint64_t duration_ns;
    char note[256]; /* what failed, or "" */
};

struct audit_device {
    struct store_device stored;
    struct audit_row *rows; /* in the order of promises[] */
    size_t count;
    size_t kept[KEEPING_COUNT]; /* rows of each kind */
};

struct audit_report {
    struct audit_device *devices;
    size_t count;
};

/* Of a zeroed report. 0, or -1: what could be read is in the report all the same. */
int audit_report_read(struct audit_report *report, struct store *store, struct error *error);
void audit_report_fini(struct audit_report *report);

/* Surprise: a promise is broken; unsupported: none is offered; wedged, or OK. */
enum status audit_report_status(const struct audit_report *report);

#endif
