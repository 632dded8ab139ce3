/* A launch of somebody's program that `gridlock watch --capture` has kept, read back from its folder. */
#pragma once

#include "base/error.h"
#include "core/nd_range.h"
#include "proof/request.h"

struct captured {
    char source[SUBJECT_PATH]; /* its file */
    char options[SUBJECT_OPTIONS];
    char kernel[SUBJECT_KERNEL];
    struct nd_range range; /* local sizes of 0: left to the driver */
    uint32_t groups;       /* 1 if the driver chose their size */
    struct proof_argument arguments[PROOF_ARGUMENTS];
    uint32_t unknown;        /* arguments of other kinds, */
    char lacks[256];         /* and these: "0 (image), 2 (svm)" */
    char differs[512];       /* in which other ways it is not as it was, as sentences; "": in none */
    uint32_t argument_count; /* that are known; others have to be made up */
};

/* -1 with STATUS_USAGE: it is no such folder, or a file in it is missing or was cut. */
int captured_read(const char *folder, struct captured *captured, struct error *error);
