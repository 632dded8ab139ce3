/*
 * The census's stopping rule. A census is closed when no group has arrived for some time. That time
 * is doubled from launch to launch until three estimates in a row agree and the time is at least
 * twice the longest gap between two arrivals that was seen. Two agreeing estimates are not enough:
 * on a busy CPU they were wrong in more than a third of the trials that started from 0.1 ms.
 *
 * A device that proves that nothing can go on closes it then, and takes no time: one launch is enough.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { CENSUS_AGREEING = 3, CENSUS_LAUNCHES = 12 };

struct census {
    uint64_t close_ns; /* of the next launch; 0: a proof closes it */
    uint64_t gap_ns;   /* the longest gap seen */
    uint32_t launches;
    uint32_t counted;  /* by the last launch */
    uint32_t agreeing; /* launches in a row that counted this many */
    uint32_t best;     /* the most that any launch counted: a proven lower bound */
};

void census_init(struct census *census, uint64_t close_ns);

/* Takes the outcome of one launch, and doubles the time for the next. */
void census_take(struct census *census, uint32_t counted, uint64_t gap_ns);

/* The last three estimates agree, and with the most that was ever counted, or one was closed by a proof. */
bool census_settled(const struct census *census);

/* Settled, or CENSUS_LAUNCHES are spent. */
bool census_finished(const struct census *census);
