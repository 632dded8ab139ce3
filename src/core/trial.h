/* A trial: one point of a sweep, launched once or in a batch of identical launches. */
#pragma once

#include "core/block.h"
#include "core/board.h"
#include "core/optional.h"
#include "core/subject.h"
#include "core/workload.h"

/* What one work-group occupies. */
struct footprint {
    uint32_t local_size;    /* work-items */
    uint32_t private_bytes; /* values kept alive in each work-item, beyond what the kernel itself needs */
    uint64_t local_memory_bytes;
    struct subject subject; /* a kernel of the user's, which occupies what it does; or none */
};

enum dialect { DIALECT_NONE, DIALECT_CL30, DIALECT_CL12, DIALECT_PTX, DIALECT_COUNT };

/* How the host reads and writes the board while a kernel runs; CHANNEL_AUTO is only a request. */
enum channel { CHANNEL_NONE, CHANNEL_SHARED, CHANNEL_QUEUE, CHANNEL_PROOF, CHANNEL_AUTO, CHANNEL_COUNT };

/*
 * What a launch does. The first three estimate the resident limit; TRIAL_WORK is what a scenario's kernel is for, and
 * TRIAL_PROGRESS a block of litmus tests, TRIAL_PROMISE measures a promise: whatever is launched for them counts as one
 * launch, which ends when they do. TRIAL_TRY is a kernel of the user's as it is, TRIAL_WATCH a
 * program of others at one moment.
 */
enum trial_kind {
    TRIAL_CENSUS,
    TRIAL_BARRIER,
    TRIAL_DISCOVERY,
    TRIAL_WORK,
    TRIAL_PROGRESS,
    TRIAL_PROMISE,
    TRIAL_PROOF,
    TRIAL_TRY,
    TRIAL_WATCH,
    TRIAL_COUNT
};
enum { ESTIMATOR_COUNT = TRIAL_WORK }; /* those before it */

struct trial {
    struct footprint footprint;
    enum trial_kind kind;
    uint32_t groups;  /* work-groups launched */
    uint32_t rounds;  /* barriers, or whatever the kernel repeats, in one launch */
    uint32_t repeats; /* launches, at most */
    /* The batch ends once this many launches were no pass; 0: never. */
    uint32_t enough_stalls;
    uint64_t gap_ns; /* the longest time without a change seen in earlier trials of this footprint */
    /* Groups known to be resident together: a stall with fewer arrivals is looked at for longer. */
    uint32_t proven_groups;
    /* The first stall of a batch must stand for confirm_ns, later ones in the same state for suspect_ns, at least. */
    uint64_t suspect_ns;
    uint64_t confirm_ns;
    /* Census: time without an arrival after which it is closed; doubled until estimates agree. */
    uint64_t close_ns;
    bool live;                    /* neither fuse nor stop word */
    bool shorten;                 /* the schedule of a launch that failed is made shorter; not stored */
    bool samples;                 /* of a launch that failed samples are kept (judge/samples.h); not stored */
    char left_out[OPTIONAL_TEXT]; /* of a trial that was run: what its kernels were built without (core/optional.h) */
    /* For a scenario's kernel; for the limits kernel zero, with the dialect that was probed as best. */
    enum dialect dialect;
    struct workload work;
    struct trial_block block; /* of TRIAL_PROGRESS alone: without its codes, block_trial() */
};

/* What was found out of a trial beside its launches, when its kernel was built. Stored and reported as it is. */
struct trial_facts {
    uint64_t build_ns; /* spent in building its programs */
    uint64_t threads;  /* of a block below groups: that a launch can have; 0: the device has none */
    /* What the driver says of its kernel; 0: nothing. */
    uint64_t most_items;     /* work-items of a group (CL_KERNEL_WORK_GROUP_SIZE) */
    uint64_t multiple_items; /* that their number should be a multiple of (.._PREFERRED_WORK_GROUP_SIZE_MULTIPLE) */
};

/* A view of the trial's board. */
struct board trial_board(const struct trial *trial, const uint32_t *words);
size_t trial_board_words(const struct trial *trial);

NAMING_DECLARE(dialect, enum dialect);
NAMING_DECLARE(channel, enum channel);
NAMING_DECLARE(trial_kind, enum trial_kind);
extern const struct naming estimator_naming; /* acts that are estimators */

/* Its launches have a board, or whatever stands for one. */
static inline bool trial_has_board(const struct trial *trial)
{
    return (int)trial->kind < TRIAL_PROGRESS;
}

/* Work-items of its groups; 1 if that is left to the driver. */
uint64_t trial_items(const struct trial *trial);

bool footprint_equal(const struct footprint *a, const struct footprint *b);

/* "l64-m1024-p0"; of a subject, its name. */
void footprint_print(const struct footprint *footprint, char *text, size_t size);

/* Writes the id of the trial's point. It depends on nothing else, so the same point has the same id in every run. */
void trial_point_id(const struct trial *trial, char *text, size_t size);

/* The trial's own: batches of the same point in one run are told apart by `sequence`. */
void trial_id(const struct trial *trial, uint32_t sequence, char *text, size_t size);
