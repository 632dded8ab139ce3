/* The axes of a scenario: their values, as they stand in its file, and whether they are such as the kernel takes. */
#pragma once

#include "scenario/ini.h"
#include "scenario/scenario.h"

/* All return 0, or -1 with STATUS_USAGE. */

/* Takes a line of [sweep]: a new axis, or more values of the last one. */
int axes_take(struct scenario *scenario, const struct ini_pair *pair, struct error *error);

/* Axes that were not given have one value, the default. The kernel is known, as it is below. */
int axes_add_defaults(struct scenario *scenario, struct error *error);

/*
 * Says of each axis what kind of values it has, and checks them. `kernel_line`: where the kernel is named, which defaults
 * are the fault of.
 */
int axes_check(struct scenario *scenario, unsigned kernel_line, struct error *error);
