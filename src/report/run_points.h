/* The points of a scenario, made of its trials as they are read, and their lines. */
#pragma once

#include "report/run.h"

/* Takes a trial in, as a batch of its point, which may be a new one. -1: its batch cannot be read. */
int run_points_take(struct run_device *device, struct run_scenario *scenario, const struct store_trial *stored,
                    const struct schedule_kept *kept, struct error *error);

/* Returns the point of a trial by the names of its scenario and of itself, or NULL. */
const struct run_point *run_points_find(struct run_device *device, const char *scenario, const char *trial);

/* Sorts them by position. */
void run_points_sort(struct run_scenario *scenario);

/* Finds the lines of the scenario's points, which are sorted, and judges them anew (run_lines.c). */
void run_lines_judge(struct run_scenario *scenario);
