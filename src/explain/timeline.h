/* When the groups of a launch were where, as far as its board tells: slices of time in places of compute units. */
#pragma once

#include "report/evidence.h"

enum timeline_clock {
    TIMELINE_NS,     /* the device's clock */
    TIMELINE_TICKS,  /* a clock of the device whose ticks have no known length: scaled to the launch's duration */
    TIMELINE_TICKET, /* no clock: a group starts one microsecond after the one with the ticket before */
};

/* Times are nanoseconds since the first group started. */
struct timeline_slice {
    uint32_t group;
    uint32_t unit; /* 0 if the board tells no units */
    uint32_t lane; /* index */
    bool ended;    /* its end is known; else it is the latest that fits, or that of the launch */
    uint64_t start_ns;
    uint64_t end_ns; /* above the start */
};

/* A place for one group at a time on a unit. */
struct timeline_lane {
    uint32_t unit;
    uint32_t place; /* of the unit, from 0 */
};

struct timeline {
    enum timeline_clock clock;
    bool has_units;
    uint64_t end_ns;               /* of the launch */
    struct timeline_slice *slices; /* of the groups that started; by unit, then by start */
    uint32_t count;
    struct timeline_lane *lanes; /* by unit, then by place */
    uint32_t lane_count;
};

/*
 * Slices of one lane never overlap. Where groups that are done have no known end, a group that finds all places of its
 * unit taken gets that of the one of these that started first; there are as many places as were measured, or else as
 * many as groups still waited. Time is proportional to n log n. The evidence has a board. To be freed with
 * timeline_fini.
 */
void timeline_make(const struct evidence *evidence, struct timeline *timeline);
void timeline_fini(struct timeline *timeline);

/* "unit 3", "unit 3, place 1", or "place 1" if the board tells no units. */
enum { TIMELINE_NAME = 40 };
void timeline_lane_name(const struct timeline *timeline, uint32_t lane, char name[TIMELINE_NAME]);
