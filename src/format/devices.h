/* The report of `gridlock devices`. */
#pragma once

#include "core/device_info.h"
#include "format/json_writer.h"

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
    const char *empty_platforms; /* platforms without a device: "A, B", and perhaps why; or "" */
};

void devices_text(FILE *out, const struct devices_report *report);
void devices_json(FILE *out, const struct devices_report *report);

/* Number, PCI address and UUID of one of several with its name; nothing of another. */
void devices_json_which(struct json_writer *json, const struct device_info *info);

/* The members that describe a device and its probe, which may be NULL. */
void devices_json_describe(struct json_writer *json, const struct device_info *info, const struct device_probe *probe);
