/* Which work-groups were resident together, and in which order they started. */
#pragma once

#include "core/board.h"
#include "core/naming.h"

enum pattern {
    PATTERN_UNKNOWN,
    PATTERN_PREFIX,  /* 0, 1, 2, ... */
    PATTERN_STRIDED, /* 0 and on in equal distances above 1: chunks of one length, each begun */
    /* 0 and on in distances that never grow: workers that each took a share of what was left have
     * each begun their chunk, and the rest of the chunk waits behind its first group. */
    PATTERN_CHUNKED,
    PATTERN_SCATTERED, /* none of these */
    PATTERN_COUNT,
};

enum start_order { START_UNKNOWN, START_ASCENDING, START_DESCENDING, START_MIXED, START_ORDERS };

/* Ids that follow each other. */
struct id_range {
    uint32_t first, last;
};

struct residency {
    enum pattern pattern;
    enum start_order order;
    uint32_t count;
    uint32_t *ids;           /* in the order in which they started; owned, free with residency_fini */
    struct id_range *ranges; /* the same ids, ascending, in as few ranges as possible; owned, too */
    uint32_t range_count;
};

/* Reads the counted groups off the board of a census. */
void residency_read(const struct board *board, struct residency *residency);
void residency_fini(struct residency *residency);

NAMING_DECLARE(pattern, enum pattern);
NAMING_DECLARE(start_order, enum start_order);
