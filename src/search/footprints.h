/* The footprints that a sweep measures. */
#pragma once

#include "base/error.h"
#include "core/device_info.h"
#include "core/trial.h"

#include <stddef.h>

enum {
    FOOTPRINTS_LIST = 64, /* values that one axis can be given */
    FOOTPRINTS_GRID = 60, /* footprints of a grid, at most */
};

/* Values given for an axis; count 0: the axis's own ladder. */
struct axis {
    uint64_t values[FOOTPRINTS_LIST];
    uint32_t count;
};

struct footprint_axes {
    struct axis local_size;    /* work-items */
    struct axis local_memory;  /* bytes */
    struct axis private_bytes; /* bytes for each work-item, a multiple of 4 up to FOOTPRINT_PRIVATE_MAX */
    bool single;               /* no axis given means one footprint, not the sweep */
    bool grid;                 /* an axis that is not given has a few values that are far apart */
};

enum { FOOTPRINT_PRIVATE_MAX = 1024 };

/*
 * Without given values the axes are swept one at a time: work-group sizes 1, 2, 4 ... with no local
 * memory and least registers, then ladders of local memory and of private memory at one size. If
 * any axis is given, all combinations are measured; an axis that is not given then has its least value,
 * or in a grid up to 4 work-group sizes, 5 amounts of local and 3 of private memory.
 *
 * On success *footprints is allocated (free it) with *count elements. Returns 0, or -1 with
 * STATUS_USAGE if a given value is not possible on the device, naming the value and what is allowed, or if a grid is
 * too large.
 */
int footprints_plan(const struct footprint_axes *given, const struct device_info *device, struct footprint **footprints,
                    size_t *count, struct error *error);
