/* What is known of a point's id before anything was measured on a device. */
#pragma once

#include "scenario/plan.h"

#include <stddef.h>

/*
 * Writes the id of the plan's present point, with MATCHER_NUMBER for each number in it that hangs on the device: on its
 * compute units, or on a resident limit. 0; 1: it is no point on any device; -1 with an error: its scenario is wrong.
 */
int plan_outline(const struct plan *plan, char *text, size_t size, struct error *error);
