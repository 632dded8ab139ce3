/* What stays of a launch that was explored: it fills in a struct explored while the launch is there (stepping.h). */
#pragma once

#include "explore/explore.h"

/* Notes what the launch may access. */
void explored_describe(struct explored *explored);

/* Tells where a line is that changes; false: there are no more. */
bool explored_changing(const struct explored *explored, uint32_t number, uint64_t *at, uint32_t *bytes);

/* Takes all that outlives the launch, and completes the graph: of states that were found alone nothing is known. */
void explored_keep(struct explored *explored);
