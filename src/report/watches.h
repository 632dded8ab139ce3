/* The report of programs of others that were watched, read back from their run files. */
#pragma once

#include "judge/batches.h"
#include "store/store.h"

#include <stddef.h>

struct watches_row {
    int64_t run;    /* as in struct store_trial, */
    int64_t id;     /* and as there */
    char name[256]; /* trial_id() */
    struct sighting seen;
    bool incomplete;        /* it was begun and did not end */
    struct batches batches; /* what a comparison asks for: of watch_verdicts instead of verdicts */
};

struct watches_device {
    struct store_device stored;
    struct watches_row *rows; /* in the order in which they were told */
    size_t count;
    size_t of[WATCH_VERDICTS]; /* rows of each kind */
};

struct watches_report {
    struct watches_device *devices;
    size_t count;
};

/* Fills a zeroed report. Returns 0, or -1: what could be read is in the report anyway. */
int watches_report_read(struct watches_report *report, struct store *store, struct error *error);
void watches_report_fini(struct watches_report *report);

/* A deadlock, or a stall of the host. */
bool watches_is_alarm(enum watch_verdict verdict);

/* Surprise: there was an alarm. *verdicts: of enum watch_verdict, a bit each. */
enum status watches_report_status(const struct watches_report *report, uint32_t *verdicts);
