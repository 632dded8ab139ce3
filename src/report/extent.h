/* How much a file holds of what its runs were to do: which shards there are, and whether they came to their end. */
#pragma once

#include "report/report.h"

#include <stdio.h>

/* How much of a device's plan a file has, in points, footprints or tests. */
struct extent {
    bool known;         /* false: the file does not say */
    uint64_t planned;   /* in all shards; an estimate until the runs have ended */
    uint64_t left;      /* that the file should have and does not; an estimate like `planned` */
    bool ended;         /* it has all that its runs were to do, and of shards all or one */
    uint32_t shards;    /* in which the plan was divided; 0: it was not */
    uint32_t present;   /* of which the file has so many: */
    uint32_t shard;     /* the first of them, */
    const char *by;     /* as in struct shard, */
    uint32_t missing;   /* the first shard that it does not have, or `shards` if it has all */
    uint64_t elsewhere; /* in the other shards, where it has one alone */
};

void report_extent(const struct report *report, size_t device, struct extent *extent);

/* Tells the devices, once they were read, that units are missing. */
void report_note_extents(struct report *report);

/* Devices that the runs were to use, and had not begun. */
uint32_t report_devices_left(const struct report *report);

/* False: the file does not say what its runs were to do; then nothing counts as missing. */
bool report_knows_extent(const struct report *report);

/* Each device came to its end. */
bool report_is_complete(const struct report *report);

/* "about 40 of 240 points were not run: ...", and what goes on with it; of an extent that has not ended. */
void extent_print_left(FILE *out, const struct report *report, const struct extent *extent);

/* "shard 2/8, by --shard: 31 of 240 points; the others are in other shards"; of one that is divided. */
void extent_print_shard(FILE *out, const struct report *report, const struct extent *extent);

/* "1 device was not begun ..."; if devices are left. */
void extent_print_devices(FILE *out, const struct report *report);
