/* The clock of deadlines and durations. */
#pragma once

#include <stdint.h>

/* CLOCK_MONOTONIC in nanoseconds: it does not jump, and does not count the time of a suspend. */
uint64_t clock_ns(void);

/* How long the calling thread has had a processor, in nanoseconds. */
uint64_t clock_own_ns(void);
