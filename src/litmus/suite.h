/* The programs that an enumeration finds, judged, as lines: on several threads, in an order that they do not change. */
#pragma once

#include "base/error.h"
#include "base/shard.h"
#include "litmus/judge.h"
#include "litmus/program.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { LITMUS_JOBS = 256, LITMUS_LINE = 1024 };

struct litmus_suite {
    unsigned threads, instructions; /* as litmus_enumerate takes them */
    unsigned jobs;                  /* 1 ... LITMUS_JOBS */
    struct shard shard;             /* by the first instructions; a program is in one shard */
    bool (*stopped)(void);          /* asked now and then, by any thread: true ends it early */
};

/*
 * Writes a line for each program. It keeps at most a few parts of the output for each job, whatever their number.
 * Ends early, and returns 0, if `stopped` says so or `out` fails (ferror). -1 with STATUS_HARNESS if
 * threads are short.
 */
int litmus_suite_write(const struct litmus_suite *suite, FILE *out, struct error *error);

/* "PROGRAM<TAB>HSA=FP<TAB>...", P or F for weak and for strong fairness, and the end of the line; its length. */
size_t litmus_line(const struct litmus_program *program, const struct litmus_verdicts *verdicts,
                   char line[LITMUS_LINE]);
