/*
 * What a run of litmus tests says of each device: which progress models it was seen to break, by which tests, and which
 * ones are left.
 */
#pragma once

#include "base/error.h"
#include "core/block.h"
#include "litmus/classify.h"
#include "litmus/limit_search.h"
#include "store/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PROGRESS_LISTED = 16 }; /* disagreements that are kept, of all that there are */

/*
 * A test that stalled in all its launches by one engine and in none by the other, all else being alike, because a
 * thread never started. That threads which have all started get into each other's way for ever hangs on how fast they
 * are.
 */
struct progress_disagreement {
    char *program;
    struct mapping mapping;
    enum block_engine stalled;
};

/* What is known of a device, where threads are groups; and below that, level by level. */
struct progress_device {
    struct store_device stored;
    enum block_level level;
    struct progress_device *below[LEVEL_COUNT]; /* of a device; NULL: the level was not run */
    char *not_offered;                          /* why the device has no such threads, or NULL; below groups */
    uint32_t blocks;                            /* that were begun */
    struct litmus_classification classification;
    uint64_t launches, stalled, undecided; /* of all tests but the limit's */
    uint32_t tests;                        /* under a mapping, by an engine */
    uint32_t stalled_tests;
    uint32_t cut_tests;   /* the driver ended their loops: nothing is known of them */
    uint32_t compared;    /* tests that both engines decided */
    uint32_t missing;     /* blocks that were not run to their end */
    char *trouble;        /* what kept the last of them from ending, or NULL */
    uint32_t most_groups; /* of a launch; below groups threads of it */
    uint64_t duration_ns; /* of all blocks */
    uint64_t stall_sum_ns, stall_count;
    uint64_t stall_ns;         /* the mean time in which a stalled launch was seen to stall; 0: no launch stalled */
    struct limit_search limit; /* as far as it went; of groups that wait before those that they wait for */
    struct progress_disagreement *disagreements;
    size_t disagreement_count;
    uint32_t livelocks_apart; /* tests that livelocked so by one engine alone */
    uint32_t lanes_compared;  /* decided tests that machines of lanes (litmus/lanes.h) were held against, */
    uint32_t lanes_unlike;    /* and those that one of them spoke against; bit m stands for machine m */
};

/* Machines that say what threads of this level do, with which all decided tests agree; bit m stands for machine m. */
uint32_t progress_like(const struct progress_device *device);

struct progress_report {
    struct progress_device *devices;
    size_t count;
};

/* What was run at this level; NULL: nothing. Of groups also if nothing was run at all. */
const struct progress_device *progress_at(const struct progress_device *device, enum block_level level);

/* Models that a device is expected to keep at each level. */
struct progress_expectation {
    bool models[LEVEL_COUNT][LITMUS_MODELS][LITMUS_FAIRNESSES];
};

/*
 * Reads "HSA_OBE", "lobe:weak", "item:fair:strong" ...; groups and strong where nothing is said. Adds that one, and
 * all that it implies. STATUS_USAGE.
 */
int progress_expectation_parse(const char *text, struct progress_expectation *expectation, struct error *error);

/* Fills in a zeroed report. Returns 0, or -1: what could be read is in the report all the same. */
int progress_report_read(struct progress_report *report, struct store *store, struct error *error);
void progress_report_fini(struct progress_report *report);

/*
 * STATUS_SURPRISE if a device breaks what is expected, or its engines disagree, or a block did not come to its end;
 * STATUS_WEDGED if one no longer works; STATUS_UNSUPPORTED if nothing could be run.
 */
enum status progress_report_status(const struct progress_report *report,
                                   const struct progress_expectation *expectation);

/* Why a block did not come to its end; NULL: it did. */
const char *progress_trouble(const struct store_trial *trial);
