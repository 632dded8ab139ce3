/* What a run says of a device, as far as it can be compared. Of `compare` alone; pure. */
#pragma once

#include "report/report.h"

#include <stdbool.h>
#include <stddef.h>

/* A point of a run's report, a footprint, or a promise. */
struct seen_point {
    char *id;
    const char *line; /* of points that differ in the number of groups alone; of others NULL */
    const struct naming *naming;
    verdict_set seen, expected;
    uint32_t resident; /* limit of its kernel, or what was measured of the footprint or promise; 0: not known */
    uint32_t groups;
    bool surprise, predicted, publication, seeded;
};

struct seen_device {
    struct seen_point *points; /* by their lines and ids */
    size_t count;
};

/* Points of one line, which have one limit: the highest that was found. */
struct seen_line {
    const struct seen_point *points;
    size_t count;
    uint32_t resident;
};

/* What is said once they have ended. A file that was merged has limits and points. To be freed. */
void seen_read(struct seen_device *device, const struct report *report, size_t index);
void seen_fini(struct seen_device *device);

const char *seen_line_of(const struct seen_point *point);                   /* its id, if it is a line of its own */
struct seen_line seen_line_at(const struct seen_device *device, size_t at); /* that begins with this point */
