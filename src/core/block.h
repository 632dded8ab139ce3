/*
 * A block: litmus tests that are launched under one mapping, each several times; and what each of them came to.
 *
 * Each group of a launch is a thread of an instance (core/mapping.h), and executes that thread's instructions until it
 * ends. The launch has ended when all groups have, and has stalled when none starts or ends any more.
 *
 * At the levels below, a launch has one group, and threads are sub-groups or work-items of it. What is said of groups
 * and their ids is then true of those.
 */
#pragma once

#include "base/error.h"
#include "core/mapping.h"
#include "core/progress_model.h"

struct trial;

enum { BLOCK_TESTS = 128, BLOCK_CODES = 3072 };

/* How the kernel comes by the instructions. */
enum block_engine {
    ENGINE_TABLE,    /* one kernel for all tests reads them from a table */
    ENGINE_COMPILED, /* each test is a kernel of its own, with a branch for each thread */
    ENGINE_SHARED,   /* the same, but threads of equal text run one copy of it */
    ENGINE_COUNT,
};

struct block {
    enum block_level level;
    enum block_engine engine;
    struct mapping mapping;
    uint32_t groups;     /* threads of a launch, at most; plain mapping takes one instance */
    uint32_t iterations; /* launches of each test */
    uint32_t local_size; /* work-items of a group, of which the first one acts; below groups: at most */
    bool guarded;        /* the kernel has a barrier and a local array: some drivers merge small groups without them */
    /* As judge/stall.h has them; and the groups that are known to be resident together, or 0. */
    uint64_t suspect_ns, confirm_ns;
    uint32_t resident;
    uint32_t test_count;
    uint32_t code_count;
    /*
     * One test after the other: its threads; then for each thread the number of its instructions, and these, each as
     * location | check << 1 | exchange << 2 | jump << 4 (exchange 2: nothing is written).
     */
    uint16_t codes[BLOCK_CODES];
};

#define BLOCK_SUITE_LIMIT "limit" /* of the blocks that search the limit, which classify nothing */

/* What a trial (core/trial.h) and the run file keep of a block. */
struct trial_block {
    enum block_level level;
    enum block_engine engine;
    struct mapping mapping;
    bool guarded;
    char suite[16];  /* what the block is for: "quick", BLOCK_SUITE_LIMIT, ... */
    char digest[17]; /* of the codes, hexadecimal */
};

/* Where a test stands after a launch that stalled: in all, and in one instance, which litmus/page.h chooses. */
struct test_state {
    uint32_t groups;  /* of the launch */
    uint32_t started; /* of these, before it was stopped */
    uint32_t ended;   /* of these */
    uint32_t stuck;   /* instances with a thread that started and did not end */
    uint32_t instance;
    uint16_t threads_started, threads_ended; /* of that instance, a bit each */
    uint8_t memory;                          /* a bit for each location */
    uint8_t position[MAPPING_THREADS];       /* of each thread that started */
    bool starved; /* whatever its started threads do, none of them ends: another must start */
};

/* What a test of a block came to. */
struct test_outcome {
    uint32_t test;           /* its place in the block, from 0 */
    uint32_t ran;            /* launches that ended or stalled, and are decided; may be fewer than were asked for */
    uint32_t stalled;        /* of these */
    uint32_t undecided;      /* stalls that did not come back when they were given more time; beside `ran` */
    bool confirmed;          /* of the stalls, at least one stood for much longer */
    bool cut;                /* the driver ended a loop: nothing is known of the test */
    uint64_t duration_ns;    /* of all its launches */
    uint64_t stall_ns;       /* the shortest time in which a launch was seen to have stalled, or 0 */
    struct test_state state; /* of the confirmed stall, or of the last one; if stalled + undecided > 0 */
};

/*
 * Sets *trial to the one that runs the block: TRIAL_PROGRESS, with the block's iterations as repeats and what is
 * known to be resident as proven_groups. A `suite` that is longer than its member is cut.
 */
void block_trial(const struct block *block, const char *suite, struct trial *trial);

/* It searches the limit. */
bool block_is_of_limit(const struct trial_block *block);

/* The block's digest, FNV-1a, 64 bits: the same on every machine. */
void block_digest(const struct block *block, char digest[17]);

/*
 * Writes the part of a point's id that tells blocks apart: "quick/random-s7/compiled-guarded", or below groups
 * "quick/lane/random-s7/...".
 */
void block_print_id(const struct trial_block *block, char *text, size_t size);

NAMING_DECLARE(engine, enum block_engine);
NAMING_DECLARE(level, enum block_level);

/* Moves *text behind the level that it begins with, as in "sub-group:OBE"; LEVEL_GROUP if it begins with none. */
enum block_level level_take(const char **text);

/*
 * 0, or -1 with STATUS_HARNESS if the codes are not those of `test_count` whole tests, or a number is out of its range.
 */
int block_check(const struct block *block, struct error *error);
