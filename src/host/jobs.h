/*
 * Jobs that run at the same time, each in a process of its own, so that what becomes of one costs the others nothing.
 * A signal to this process goes on to them; if it dies, they do.
 */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jobs {
    size_t count;
    uint32_t most; /* at the same time */
    /* While this one runs, no other does. */
    bool (*is_alone)(void *context, size_t job);
    /* Does the job, in its process: only what it returns comes back, and what it writes to files or shared memory. */
    int (*run)(void *context, size_t job, struct error *error);
    /* Many times a second, in this process: so many have ended. */
    void (*waiting)(void *context, size_t ended);
    void *context;
};

/* How a job ended; one whose process died has -1 with STATUS_HARNESS. */
struct job_end {
    bool begun;
    int outcome; /* that `run` returned */
    struct error error;
};

/* Zeroed memory that jobs share with this process; it stays. */
void *jobs_share(size_t bytes);

/*
 * Runs them in their order, as far as they may run at the same time, and notes in ends[] how each ended. No new one is
 * begun after a signal, or once one has failed with STATUS_HARNESS. This process must have no other thread, and no
 * child.
 */
void jobs_run(const struct jobs *jobs, struct job_end *ends);
