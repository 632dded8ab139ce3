/* What a number of launches without an event proves. */
#pragma once

#include <stdint.h>

/*
 * Exact one-sided upper bound, at 95 %, of the rate of an event that was seen in none of `launches`
 * launches: 1 - 0.05^(1/launches). 1 for no launches.
 */
double bound_none_seen(uint32_t launches);
