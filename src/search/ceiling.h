/*
 * Upper bounds of limits. What is launched in place of a kernel of the user's may occupy more than the kernel, and then
 * its limit is a lower bound. A kernel of ours with nothing but the census and the barrier occupies little: where it
 * occupies no more of anything than the kernel, no more groups of the kernel are resident than of it. Where both bounds
 * meet, the limit is exact.
 */
#pragma once

#include "search/search.h"

/* A row of kernels of the user's, or of ours. */
struct ceiling_row {
    const struct footprint *footprint;
    const struct subject_facts *facts;
    const struct limit *limit;
};

/* Rows of kernels of ours, and of the device its subgroup_width (0: not known) and its compute units. */
struct ceiling {
    const struct ceiling_row *rows;
    size_t count;
    uint32_t subgroup_width;
    uint32_t units;
};

/* The footprint is one of ours. */
bool ceiling_is_ours(const struct footprint *footprint);

/*
 * Which footprint of ours is to be measured next for the row: with its size and its local memory, and if that has more
 * registers, built for few of them, and with a single work-item. False: no kernel, because its limit is exact, or no
 * bound, or all is known.
 */
bool ceiling_next(const struct ceiling *ceiling, const struct ceiling_row *row, struct footprint *next);

/* The most groups of the kernel that can be resident, by ours; 0: not known. */
uint32_t ceiling_find(const struct ceiling *ceiling, const struct ceiling_row *row);

/*
 * As subject_bound_of, and exact if `most`, which ceiling_find gave, is what the row's own limit is; never exact where
 * it was not found out that no more fit.
 */
enum subject_bound ceiling_bound(const struct ceiling_row *row, uint32_t most);
