/* --against: a stored run that a measurement must not fall behind. It is measured, and then compared. */
#pragma once

#include "cli/measure.h"

/*
 * Opens the run, before anything is measured; `command` is the one that measures, "gridlock run". STATUS_USAGE if it is
 * of another command, did not end, or has none of the selected devices.
 */
int against_open(struct measurement *measurement, const char *command, struct error *error);

/* Compares with it what was measured, and stores what was to be shown. */
int against_assert(struct measurement *measurement, struct error *error);
