/* --live: kernels with neither fuse nor stop word, which can take a machine down. */
#pragma once

#include "base/error.h"
#include "core/device_info.h"

#include <stdbool.h>

enum live { LIVE_NO, LIVE_CPU, LIVE_ANY };

/* Reads the option's argument, NULL or "any". */
int live_parse(const char *text, enum live *live, struct error *error);

/* 0 if such kernels may run on the device: it is a CPU, or the user confirmed; else STATUS_USAGE. */
int live_confirm(enum live live, bool yes, const struct device_info *device, struct error *error);
