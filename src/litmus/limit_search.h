/*
 * The search for the resident limit by a litmus test: of two threads the first waits for the second. Under
 * MAPPING_CHUNKED with W instances, W groups wait before any of those that they wait for; so the least W that stalls is
 * the limit of a device that starts groups in the order of their ids, or in the worst order.
 *
 * W is doubled until a launch stalls, then bisected; then W - 1 and W are each launched several times.
 */
#pragma once

#include "core/block.h"
#include "litmus/program.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    LIMIT_SEARCH_ATTEMPTS = 3,   /* of a block that decides nothing */
    LIMIT_SEARCH_GROUPS = 65532, /* that a launch usually has at most: a multiple of 2, 3 and 4, below 2^16 */
};

enum limit_search_step { LIMIT_SEARCHING, LIMIT_BELOW, LIMIT_AT, LIMIT_ENDED };

struct limit_search {
    uint32_t most_instances; /* that may be launched */
    uint32_t iterations;     /* of the launches with W - 1 and with W */
    enum limit_search_step step;
    uint32_t passes;    /* the most instances, below `stalls`, of which no launch stalled; 0: not known */
    uint32_t stalls;    /* the fewest of which a launch stalled, and was confirmed; 0: no launch stalled */
    uint32_t instances; /* of the block that is awaited */
    uint32_t attempts;  /* of it */
    uint32_t passed_launches, stalled_launches; /* in the last step, with passes and with stalls instances */
    bool undecided;                             /* a block decided nothing, however often it was launched */
};

/* Thread 0 waits for thread 1. */
extern const struct litmus_program litmus_limit_program;

/* Launches have at most `most_groups` groups, at least two. */
void limit_search_init(struct limit_search *search, uint32_t most_groups, uint32_t iterations);

/*
 * Writes the test, mapping, groups and iterations of the next block, and leaves all else in it as it is. False: the
 * search has ended.
 */
bool limit_search_next(struct limit_search *search, struct block *block);

/* Takes what the block came to. */
void limit_search_take(struct limit_search *search, const struct test_outcome *outcome);

/* False of a zeroed one. */
bool limit_search_begun(const struct limit_search *search);

/*
 * After the search: the fewest that stall, which is the limit, and the most that pass. Each is 0 if no such number
 * exists, or if that is not decided (`undecided`).
 */
uint32_t limit_search_result(const struct limit_search *search);
uint32_t limit_search_passes(const struct limit_search *search);
