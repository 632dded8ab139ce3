/*
 * Mappings: which work-group of a launch is which thread of which instance of a litmus test. An instance is the test's
 * threads with locations of their own; a launch has as many instances as its groups allow.
 */
#pragma once

#include "core/naming.h"

#include <stdbool.h>

enum mapping_kind {
    MAPPING_PLAIN,       /* one instance: group ids are thread ids */
    MAPPING_ROUND_ROBIN, /* the threads of an instance are adjacent */
    MAPPING_CHUNKED,     /* first thread 0 of all instances, then thread 1 of all, and so on */
    MAPPING_HYBRID,      /* all threads of an instance but the last are adjacent; the last ones of all follow */
    MAPPING_RANDOM,      /* groups by lot, such that in each instance lower threads have lower ids */
    MAPPING_SHUFFLED, /* groups by lot, such that the threads of each instance have another, the same, order of ids */
    MAPPING_REVERSED, /* as round-robin, but in each instance higher threads have lower ids */
    MAPPING_GAPS,     /* as round-robin, but of the groups only each MAPPING_STRIDE-th is a thread */
    MAPPING_KINDS,
    MAPPING_OF_GROUPS = MAPPING_REVERSED, /* those that groups have unless others are asked for */
};
enum { MAPPING_THREADS = 16, MAPPING_STRIDE = 3 };

struct mapping {
    enum mapping_kind kind;
    uint32_t seed; /* of MAPPING_RANDOM and MAPPING_SHUFFLED */
};

/* Groups of a launch that has at most `most`, for a test of so many threads: whole instances. At least one instance. */
uint32_t mapping_groups(const struct mapping *mapping, unsigned threads, uint32_t most);

/* Each so manieth group is a thread; the others end at once, and count for nothing: ids are those among threads. */
uint32_t mapping_stride(const struct mapping *mapping);

/* Writes for each of so many groups, by its id, instance * threads + thread. */
void mapping_fill(const struct mapping *mapping, unsigned threads, uint32_t groups, uint32_t *slots);

/*
 * Writes the threads in the order of the group ids that an instance gives them: the thread with the lowest id first.
 * True if that is the order of the threads.
 */
bool mapping_order(const struct mapping *mapping, unsigned threads, uint8_t order[MAPPING_THREADS]);

bool mapping_has_seed(enum mapping_kind kind);
NAMING_DECLARE(mapping, enum mapping_kind);
