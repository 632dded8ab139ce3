/* Where in a launch the bytes are that are no part of a state, or no result. */
#pragma once

#include "explore/explore.h"

/* What states are compared without; returns how many regions that is. */
size_t ignored_find(const struct explore_bounds *bounds, const struct explored *explored,
                    struct machine_region regions[EXPLORE_IGNORED]);

/* The first argument, if it is a buffer; or a region of no bytes. */
struct machine_region ignored_find_notes(const struct explored *explored);
