/* What stays of a launch that was explored: it fills in a struct explored while the launch is there (stepping.h). */
#pragma once

#include "explore/explore.h"

/* Notes what the launch may access. */
void explored_describe(struct explored *explored);

/* Takes all that outlives the launch, and completes the graph: of states that were found alone nothing is known. */
void explored_keep(struct explored *explored);
