/* What the report of each kind of run does in its own way; nothing else asks for the kind. Formats: format/kind.h. */
#pragma once

#include "report/report.h"

struct kind {
    const char *name;              /* its command's, too */
    const char *units_name;        /* what a plan of it consists of */
    const struct naming *outcomes; /* that its cases have; NULL: verdicts */
    bool alone;                    /* they are merged only with others of the kind */
    bool of_tests;                 /* litmus tests: there are models instead of points, and blocks instead of boards */
    const char *of;                /* what its runs are of, which can be compared with each other alone; NULL: points */
    /* Returns whether a file that was not made by this command alone is of this kind, too: 1, 0, or -1. NULL: no. */
    int (*claims)(struct store *store, struct error *error);
    void (*asked)(struct report *report, const struct store_run *run); /* takes what a run was asked; or NULL */
    int (*read)(struct report *report, struct store *store, struct error *error);
    enum status (*status)(const struct report *report, verdict_set *verdicts);
    uint64_t (*units)(const struct report *report, size_t device); /* that were run on it */
    void (*partial)(struct report *report, size_t device); /* not all units are in the file; NULL: it does not matter */
    const struct store_device *(*device)(const struct report *report, size_t device); /* NULL: there are fewer */
};

extern const struct kind kinds[REPORT_KINDS];
