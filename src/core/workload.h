/*
 * What a scenario's kernel is launched with: its build, its parameters, the data that it works on, and
 * how its results are verified. All of it is resolved to numbers, so that the worker parses nothing.
 */
#pragma once

#include "abi.h"
#include "core/naming.h"
#include "core/nd_range.h"
#include "core/subject.h"
#include "core/word_name.h"

enum { WORKLOAD_REGIONS = 8, WORKLOAD_RESULTS = 8, WORKLOAD_OWN = GL_OWN_MOST };

enum element { ELEMENT_UINT, ELEMENT_INT, ELEMENT_LONG, ELEMENT_ULONG, ELEMENT_FLOAT, ELEMENT_COUNT };

/* What a region holds before the first launch. */
enum fill {
    FILL_ZERO,
    FILL_ONES,   /* all bits */
    FILL_INDEX,  /* element i is i */
    FILL_SEEDED, /* by the trial's seed: values for which every order of the operation gives the same result */
    FILL_COUNT,
};

enum operation { OPERATION_SUM, OPERATION_PRODUCT, OPERATION_MIN, OPERATION_MAX, OPERATION_COUNT };

/* A buffer, and an argument of the kernel. */
struct region {
    enum element element;
    enum fill fill;
    uint64_t count; /* elements */
};

/* One side of a result. A whole region may only be compared with a whole region. */
enum term_kind {
    TERM_VALUE,
    TERM_ELEMENT,              /* element `index` of region a */
    TERM_EACH,                 /* each element of region a */
    TERM_REDUCE,               /* of region a, by the workload's operation */
    TERM_DOT,                  /* of regions a and b */
    TERM_PERMUTATION,          /* region a holds each of 0 ... n - 1 once, n is the other side */
    TERM_REGION,               /* whole: region a as it is */
    TERM_SCAN,                 /* whole: sums of a up to and with each element */
    TERM_EXCLUSIVE_SCAN,       /* whole: sums of a before each element */
    TERM_GROUP_SCAN,           /* whole: sums of a up to and with each element, begun anew every local_size elements */
    TERM_EXCLUSIVE_GROUP_SCAN, /* whole */
    TERM_GROUP_REDUCE,         /* whole: one element for every local_size elements of a */
};

struct term {
    enum term_kind kind;
    uint32_t a, b; /* regions */
    uint64_t index;
    int64_t value;
};

struct result {
    struct term left, right;
};

/* Values of axes of a scenario. */
struct axis_numbers {
    uint32_t fuse;    /* the most polls of a group in one launch; 0: calibrated */
    uint32_t seed;    /* of data, and of the first launch (core/lots.h) */
    uint32_t jitter;  /* polls */
    uint32_t uneven;  /* polls */
    uint32_t burners; /* threads of the host that keep processors busy meanwhile */
    uint32_t held;    /* groups of a second queue that stay resident meanwhile */
    uint32_t traffic; /* MiB of memory that those stream through */
};

struct workload {
    char scenario[64];          /* its name */
    bool publication;           /* it asks whether groups see what others wrote */
    bool anti_pattern;          /* the point shows what is not to be done */
    char kernel[48];            /* its file is this with .cl; "": the limits kernel */
    char folder[SUBJECT_PATH];  /* where that file is; "": the kernels that the binary carries */
    char options[320];          /* of the build: -DNAME_VALUE, separated by spaces */
    char point[128];            /* the sweep's values beside groups and dialect, for people: type=int,items=4096 */
    uint32_t own[WORKLOAD_OWN]; /* the kernel's own parameters */
    uint32_t sync_words;        /* that its groups synchronize by */
    char names[WORD_NAMES];     /* what they are called, as core/word_name.h has it */
    struct nd_range range;      /* launched over instead of groups: only the first group has an entry on the board */
    uint32_t launches;          /* one after another, that make up one */
    bool checks_counted;        /* it is known how many reads across groups are checked ... */
    uint64_t checks;            /* ... in all of its launches */
    struct axis_numbers numbers;
    enum operation operation;
    uint32_t region_count;
    struct region regions[WORKLOAD_REGIONS];
    uint32_t handover; /* region of times (FILL_ZERO, in ps) with a hand-over's median, plus 1; 0: no region */
    uint32_t result_count;
    struct result results[WORKLOAD_RESULTS];
};

uint64_t element_bytes(enum element element);
bool term_is_whole(const struct term *term);

extern const struct naming element_naming, fill_naming, operation_naming;
