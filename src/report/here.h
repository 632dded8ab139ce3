/*
 * What run files of devices say of the kernels that were proved: with how many groups each is safe there
 * (proof/certificate.h), and where the numbers come from.
 */
#pragma once

#include "base/sha256.h"
#include "proof/certificate.h"
#include "report/report.h"

/* A run of limits, progress, scenarios or an audit. */
struct here_run {
    const char *path;
    char sha256[SHA256_TEXT]; /* of the file */
    struct store *store;
    struct report report;
};

enum { HERE_RUNS = 32 };

/* Zeroed it is empty. */
struct here_runs {
    struct here_run runs[HERE_RUNS];
    size_t count;
    enum dialect dialect; /* how kernels publish; DIALECT_NONE: as those of OpenCL C 3.0 */
};

/* The dialect whose publication counts. */
enum dialect here_dialect(const struct here_runs *runs);

/* How many groups of one shape fit. */
struct here_fit {
    struct nd_range shape;
    uint32_t resident;  /* these do; */
    uint32_t stalls_at; /* a barrier over so many stalled; 0: not known */
};

/* Whose groups were counted. */
enum here_counted {
    HERE_NOTHING,
    HERE_KERNEL,   /* the kernel's: its file has the same text, with the same build options */
    HERE_SCENARIO, /* the scenario's kernel, as the version of the run has it */
    HERE_OURS,     /* those of a kernel of ours, which occupies little */
};

/* A kernel that was proved, on a device. */
struct here {
    size_t row;                       /* the first of its launches */
    const struct device_info *device; /* of a run */
    struct certificate certificate;
    struct certificate_device found;
    enum here_counted counted;
    struct here_fit *fits; /* by the work-items of a group */
    size_t fit_count;
    uint32_t used;    /* the runs that say something of the device, a bit each */
    const char *path; /* of the kernel's file; NULL: a scenario's */
    char source_sha256[SHA256_TEXT], options_sha256[SHA256_TEXT]; /* "": not known, as of a scenario */
};

/* Both are launches of one kernel, with other groups. */
bool here_same_kernel(const struct proof_row *a, const struct proof_row *b);

/* Adds the run. STATUS_USAGE: it is no run of these, or there are too many. */
int here_add(struct here_runs *runs, const char *path, struct error *error);

/* Tells each device of the report, read from `store`, what the runs, which must outlive it, say of its kernels. */
int here_find(const struct here_runs *runs, struct store *store, struct proofs_report *report, struct error *error);

void here_close(struct here_runs *runs);
