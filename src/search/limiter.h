/* What limits the number of resident groups, inferred from a sweep over footprints. */
#pragma once

#include "core/device_info.h"
#include "search/search.h"

#include <stddef.h>

enum limiter {
    LIMITER_UNKNOWN,
    LIMITER_GROUPS,       /* groups per compute unit */
    LIMITER_WORK_ITEMS,   /* work-items per compute unit */
    LIMITER_LOCAL_MEMORY, /* local memory per compute unit */
    LIMITER_REGISTERS,
    LIMITER_CPU_THREADS,
    LIMITER_COUNT,
};

/*
 * Infers what limited row `row` of the `count` rows of one device's sweep. It needs something to
 * compare with: a single footprint, or one that no rule explains, is LIMITER_UNKNOWN.
 */
enum limiter limiter_infer(const struct limit *limits, size_t count, size_t row, const struct device_info *device);

/*
 * The rows of one device's sweep, the first HOLDINGS_MOST of them, and what follows from all of them for footprints
 * that it did not measure.
 */
void limiter_fit(const struct limit *limits, size_t count, const struct device_info *device, struct holdings *holdings);

NAMING_DECLARE(limiter, enum limiter);

/*
 * The footprint with the smallest passes_at, or -1 if no footprint is safe at any group count:
 * none measured, or the driver ends loops that still wait (loops_cut_at is not 0).
 */
int limiter_safest(const struct limit *limits, size_t count, uint64_t loops_cut_at);
