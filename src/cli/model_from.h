/* What a run of gridlock progress found of devices, to be quoted beside what is promised of them. */
#pragma once

#include "report/report.h"

struct model_from {
    const char *path; /* NULL: nothing is quoted */
    struct report report;
};

/* Reads the run; path may be NULL. STATUS_USAGE if another command made it. Call model_from_fini even on failure. */
int model_from_read(struct model_from *from, const char *path, struct error *error);
void model_from_fini(struct model_from *from);

enum { MODEL_QUOTE = sizeof((struct store_prediction *)0)->quoted };

/* A sentence about the device; "": nothing is quoted. STATUS_USAGE if the run does not have it. */
int model_from_quote(const struct model_from *from, const struct device_info *device, char quote[MODEL_QUOTE],
                     struct error *error);
