/* The report of `gridlock devices`. */
#ifndef GRIDLOCK_FORMAT_DEVICES_H
#define GRIDLOCK_FORMAT_DEVICES_H

#include "base/error.h"
#include "core/device_info.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct devices_entry {
    struct device_info info;
    struct device_probe probe;
    bool probed;
    char failure[512]; /* why the probe did not finish, or "" */
};

/* A driver that could not be loaded. */
struct devices_icd {
    char file[512]; /* the .icd file or library that names it */
    char reason[512];
};

struct devices_report {
    struct devices_entry *entries;
    size_t count;
    const struct devices_icd *icds;
    size_t icd_count;
};

void devices_text(FILE *out, const struct devices_report *report);
int devices_json(FILE *out, const struct devices_report *report, struct error *error);

/* The members that describe a device and its probe, added to `object`, which may be NULL. */
void devices_json_describe(json_t *object, const struct device_info *info, const struct device_probe *probe);

#endif
