/* The commands that gridlock certify is made of, each in a process of its own, with a run file. */
#pragma once

#include "cli/measure.h"
#include "core/trial.h"
#include "report/certified.h"

enum { CERTIFY_ARGUMENTS = 64 };

struct certify_options {
    struct measure_options measure;
    const char *file; /* of OpenCL C */
    const char *kernel, *local_size, *build_options, *budget, *proved_groups;
    const char *arguments[CERTIFY_ARGUMENTS], *proved[CERTIFY_ARGUMENTS], *results[CERTIFY_ARGUMENTS];
    size_t argument_count, proved_count, result_count; /* of launches and proof, of the proof alone */
    uint64_t groups, iterations;
    uint32_t dialect; /* an enum dialect; 0: the device's best */
    const char *folder;
    const char *check; /* a certificate, or NULL */
};

/*
 * Measures what a certificate needs, run file for run file, in the folder, and judges. -1: also if one of the commands
 * could not do its work, which it has said itself: the text of the error is "" then.
 */
int certify_measure(const struct certify_options *options, struct certified *certified, struct error *error);
