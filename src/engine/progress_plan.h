/* The blocks that `progress` runs: which tests, under which mappings, with which engines, in groups of which size. */
#pragma once

#include "base/error.h"
#include "core/block.h"
#include "litmus/choose.h"
#include "litmus/form.h"
#include "search/footprints.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum progress_suite { SUITE_QUICK, SUITE_PUBLISHED_BOUNDS, SUITE_FILE, SUITE_COUNT };

/* What is asked for. */
struct progress_axes {
    enum progress_suite suite;
    const char *tests_file; /* of SUITE_FILE */
    bool levels[LEVEL_COUNT];
    bool mappings[MAPPING_KINDS];
    bool mappings_of_level; /* none was asked for: those that are usual at each level */
    bool engines[ENGINE_COUNT];
    struct axis local_sizes;
    bool guards[2]; /* without, and with a barrier and a local array */
    uint32_t iterations;
    bool iterations_asked; /* as many at all levels */
    uint32_t seed;
    uint32_t groups; /* of a launch, at most; 0: by the device */
};

/* The tests, in text form, too. A zeroed one is empty. */
struct progress_tests {
    struct litmus_program *programs;
    char (*texts)[LITMUS_TEXT];
    size_t count;
    unsigned threads; /* the most of any test */
    uint64_t digest;  /* of the tests file */
};

/* Chooses the tests of a suite, or reads them. STATUS_USAGE names file, line and column of what is malformed. */
int progress_tests_read(struct progress_tests *tests, const struct progress_axes *axes, struct error *error);
void progress_tests_fini(struct progress_tests *tests);

NAMING_DECLARE(progress_suite, enum progress_suite);
extern const struct naming progress_suite_option; /* those that --suite may name */

/*
 * Goes through the blocks. Begins as {.tests, .axes, .groups, .items, .iterations_below}; groups[i] and items[i] belong
 * to local size i.
 */
struct progress_plan {
    const struct progress_tests *tests;
    const struct progress_axes *axes;
    const uint32_t *groups;
    const uint32_t *resident;
    const uint32_t *items;                             /* of a group, below groups */
    uint32_t iterations_below;                         /* launches of a test there, at most */
    bool missing[LEVEL_COUNT];                         /* the device has no such threads: no more blocks */
    uint64_t suspect_ns, confirm_ns, confirm_below_ns; /* below: of threads that are no groups */
    /* The next block. */
    uint32_t level, local_size, guard, mapping, engine;
    size_t test;
};

enum { PROGRESS_BLOCK_TESTS = 64 };

/*
 * Writes the next block, and the index of each of its tests (an array of BLOCK_TESTS). Returns false at the end.
 * The hybrid mapping is left out for tests of two threads, where it is the chunked one.
 */
bool progress_plan_next(struct progress_plan *plan, struct block *block, uint32_t *which);

/* So many tests there are in all its blocks. */
uint64_t progress_plan_size(const struct progress_plan *plan);
