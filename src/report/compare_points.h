/* What changed between what two runs say of a device. Of `compare` alone; pure. */
#pragma once

#include "report/compare.h"
#include "report/compare_seen.h"

/* Fills in points, limits and causes. */
void compare_points(struct compare_device *device, const struct seen_device *before, const struct seen_device *after);
