/* Is the difference between two rates more than chance? */
#pragma once

#include <stdint.h>

/* Launches, and those of them that were an event; never more. */
struct sample {
    uint64_t events, launches;
};

/*
 * Fisher's exact test (two-sided): how probable a difference as improbable as this one is, if the events come at the same
 * rate in both. 1 where one of them has no launches.
 */
double chance_of(struct sample a, struct sample b);

#define CHANCE_AT_MOST 0.05 /* where a difference is taken for one: 95 % */
