/* The clock of deadlines and durations. */
#ifndef GRIDLOCK_BASE_CLOCK_H
#define GRIDLOCK_BASE_CLOCK_H

#include <stdint.h>

/* CLOCK_MONOTONIC in nanoseconds: it does not jump, and does not count the time of a suspend. */
uint64_t clock_ns(void);

#endif
