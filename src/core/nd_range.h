/*
 * Ranges of work-items in one, two or three dimensions, and the shape of the work-groups that they are
 * divided into. Most kernels are launched over groups that have one entry each on the board; a kernel of ours
 * with a range tells how fast shapes are, and none of its groups waits.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct nd_range {
    uint32_t dimensions; /* 0: there is no range */
    uint32_t local[3];   /* shape: work-items of a group; 0 in each dimension: left to the driver */
    uint64_t global[3];  /* work-items that are launched; 1 in dimensions that there are not */
    uint64_t offset[3];  /* of their global ids */
};

enum { SHAPE_BYTES = 40 };

/*
 * Reads a shape: 64, 16x16, 8x8x4, driver-1d, driver-2d, driver-3d. Each has one spelling, in which it is printed.
 * Returns false, and sets nothing, if the text is not a shape.
 */
bool nd_range_parse_shape(const char *text, struct nd_range *range);
void nd_range_print_shape(const struct nd_range *range, char text[SHAPE_BYTES]);

/* Work-items of a group; 1 if that is left to the driver. */
uint64_t nd_range_local_size(const struct nd_range *range);

/*
 * Makes the range of these groups. Numbers of groups are a shape, too: `local` of `groups` says how many there are in
 * each dimension, and `offset` where the range begins; `shape` is that of each group.
 */
struct nd_range nd_range_of_groups(const struct nd_range *groups, const struct nd_range *shape);

/* Returns the groups of a range, as nd_range_of_groups takes them; a last, smaller one counts as a whole one. */
struct nd_range nd_range_groups(const struct nd_range *range);

/* They lie in one row, and begin at 0. */
bool nd_range_groups_in_row(const struct nd_range *groups);

/*
 * Sets what is launched: all that lies in extents[0] x extents[1] x extents[2], with dimensions that the shape does not
 * have folded into its last one. `padded`: rounded up to whole groups. False: no work-item, or more than 2^32 - 1.
 */
bool nd_range_cover(struct nd_range *range, const uint64_t extents[3], bool padded);
