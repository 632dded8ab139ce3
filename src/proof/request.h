/* What is asked of a proof: which launch of which kernel is to be explored. */
#pragma once

#include "core/trial.h"

#include <stdint.h>

enum {
    PROOF_ARGUMENTS = 48,  /* that can be given */
    PROOF_NUMBER = 64,     /* a number of an argument, as text */
    PROOF_FILE = 256,      /* the path of a file that fills a buffer */
    PROOF_RIGHTS = 4,      /* buffers of which it is said what is right */
    PROOF_RIGHT = 1 << 10, /* that, as text */
    PROOF_IGNORED = 4,     /* parts of buffers that are left out of states */
};

enum proof_fill {
    PROOF_FILL_ZERO,
    PROOF_FILL_SEQUENCE, /* 0, 1, 2 ... in 32 bits each */
    PROOF_FILL_FILE,     /* what the file has, and then zeros */
    PROOF_FILL_SPREAD,   /* 16, 32, 48 ...; only what is made up has that, */
    PROOF_FILL_ONES,     /* and all bits set: -1 */
    PROOF_FILL_GRID,     /* as gridlock.clh has its words, of as many bytes as the launch's groups take */
};

/* The last two are given by captured launches alone. */
enum proof_argument_kind {
    PROOF_ARGUMENT_BUFFER,
    PROOF_ARGUMENT_LOCAL,
    PROOF_ARGUMENT_NUMBER,
    PROOF_ARGUMENT_IMAGE,
    PROOF_ARGUMENT_SAMPLER,
    PROOF_ARGUMENT_KINDS,
};

/*
 * An image or a sampler, as OpenCL numbers it: type, order and type of channels, width, height, depth, layers; or
 * whether coordinates are normalized, mode of addresses, of the filter.
 */
enum { PROOF_SHAPE = 7 };

/*
 * An argument of a kernel of the user's that is given. Others are made up: a buffer of PROOF_BUFFER zero bytes each,
 * numbers 0.
 */
struct proof_argument {
    char name[SUBJECT_ARGUMENT]; /* or its number from 0 */
    uint32_t kind;               /* enum proof_argument_kind */
    uint32_t fill;               /* of a buffer or an image */
    uint64_t bytes;              /* of these, or of local memory; of a grid its fuse (worker/grid.h) */
    uint64_t shape[PROOF_SHAPE]; /* of an image or a sampler */
    char number[PROOF_NUMBER];   /* converted to the argument's type; a vector has it in each element */
    char file[PROOF_FILE];       /* that has the bytes of a buffer, or, with no number, of a value */
};

enum { PROOF_BUFFER = 1 << 16 };

enum proof_right_kind {
    PROOF_RIGHT_VALUES,     /* "1,2,3": of each element */
    PROOF_RIGHT_EXPRESSION, /* of `i`, the element's index, `groups` and `items`, of a group: in OpenCL C */
    PROOF_RIGHT_FILE,       /* a path: what the buffer has, byte by byte */
};

/* What a buffer has to have at the end. */
struct proof_right {
    char name[SUBJECT_ARGUMENT]; /* as in struct proof_argument */
    uint32_t kind;               /* enum proof_right_kind */
    char text[PROOF_RIGHT];
};

/* What states are compared without. */
struct proof_ignored {
    char name[SUBJECT_ARGUMENT]; /* as in struct proof_argument */
    uint64_t first, count;       /* elements; count 0: all of the buffer */
};

struct proof_request {
    struct trial trial; /* its groups, and a scenario's kernel, or a kernel of the user's as it is */
    uint32_t argument_count, right_count, ignored_count;
    uint64_t budget_ns;
    uint64_t alone_ns;     /* a work-item that computes for so long without an access is in an endless loop */
    uint64_t memory_bytes; /* 0: an eighth of the machine's */
    bool groups_made_up, shape_made_up; /* nobody said how many groups there are, and of which work-items */
    bool has_crashed; /* the worker, at this launch or at one with other things made up: those are not tried again */
    struct proof_argument arguments[PROOF_ARGUMENTS];
    struct proof_right rights[PROOF_RIGHTS];
    struct proof_ignored ignored[PROOF_IGNORED];
};
