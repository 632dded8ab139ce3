/* Parts of a piece of work, done by several threads, whose output comes in the order of the parts. */
#pragma once

#include "base/error.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define ORDERED_NO_PART ULONG_MAX

/* One of the threads. */
struct ordered_job {
    struct ordered *ordered;
    unsigned long part; /* the one that it does, from 0; ORDERED_NO_PART: there is no use in going on */
    char *text;         /* what came of that, and is not written yet */
    size_t length, capacity;
};

/*
 * Calls `run` on so many threads. Each has a first part, and asks for others. Keeps at most a few parts of the output
 * for each thread. -1 with STATUS_HARNESS if threads are short, or a job failed; 0 also if `out` fails (ferror).
 */
int ordered_run(unsigned jobs, FILE *out, void (*run)(struct ordered_job *job, void *context), void *context,
                struct error *error);

/* Makes room for so many bytes behind the job's text. False: there is no use in going on. */
bool ordered_make_room(struct ordered_job *job, size_t bytes);

/* The job's part is finished: leaves its text, and takes another one. */
void ordered_next(struct ordered_job *job);

/* Ends everything early, for all jobs: without an error, or with one; the latter returns false. */
void ordered_end(struct ordered_job *job);
bool ordered_fail(struct ordered_job *job, const struct error *error);

/* It was ended. */
bool ordered_has_ended(const struct ordered_job *job);
