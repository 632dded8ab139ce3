/* gridlock run --schedule: a launch is repeated turn by turn. */
#pragma once

#include "cli/measure.h"
#include "report/schedule_file.h"
#include "scenario/known.h"
#include "scenario/plan.h"

/* Zeroed: the device takes its own turns. */
struct scheduled {
    const char *path; /* or NULL */
    struct schedule_file file;
};

/* Reads the file, if one was given, and chooses its device, unless one is chosen, its point, and its seed. */
int scheduled_choose(struct scheduled *scheduled, struct measure_options *measure, struct known_patterns *included,
                     struct plan_settings *plan, struct error *error);

/* The launches that follow are to take its turns. */
void scheduled_begin(const struct scheduled *scheduled, struct remote *remote);

/* STATUS_USAGE if a launch could not take them as they are. */
int scheduled_check(const struct scheduled *scheduled, const struct remote *remote, struct error *error);
