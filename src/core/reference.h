/*
 * What a workload's data are before its kernel runs, and what they must be afterwards: the host's own
 * computation, element by element, against which the device's results are compared bit by bit.
 */
#pragma once

#include "base/error.h"
#include "core/workload.h"

/*
 * Fills `bytes`, which hold region `index` of the workload. Seeded values are such that the workload's
 * operation gives the same bits in any order, on floats too: sums of up to 2^20 small integers, products of powers of
 * two.
 */
void reference_fill(const struct workload *work, uint32_t index, void *bytes);

/* What the comparison found. */
struct difference {
    uint64_t count;  /* elements that differ, in all results */
    uint32_t result; /* the first of them: which result, from 1; 0: no element differs */
    uint64_t at;     /* element */
    uint64_t wanted; /* as bits */
    uint64_t got;
};

/* An element, or what was computed from elements: floats as `real`, all others modulo 2^64 as `bits`. */
struct number {
    bool is_real;
    double real;
    uint64_t bits;
};

/* What a term over regions that no launch changes came to, kept from one comparison to the next. */
struct reference_memory {
    struct reference_value {
        bool known;
        struct number number;
    } sides[WORKLOAD_RESULTS][2];
};

/*
 * Compares all results; regions[i] holds region i as the device left it. A kernel that harms its own
 * input is found all the same: whoever calls this passes seeded regions as they were.
 * `memory` is zeroed before the first comparison, and then kept with the data; or NULL. Returns 0, or -1 with
 * STATUS_HARNESS when a result makes no sense.
 */
int reference_compare(const struct workload *work, uint32_t local_size, const void *const *regions,
                      struct reference_memory *memory, struct difference *difference, struct error *error);

/* The median of those values that are not 0, the lower one of two; 0: there are none. Changes their order. */
uint32_t median_of_known(uint32_t *values, size_t count);
