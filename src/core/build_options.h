/* What a kernel is built with: a pure function of the trial and of what was probed, for the worker and for reports. */
#pragma once

#include "core/device_info.h"
#include "core/trial.h"

enum { BUILD_OPTIONS = 2048 };

/* Of any kernel in a dialect. */
void build_options(enum device_kind kind, const struct device_probe *probe, enum dialect dialect, bool live,
                   char text[BUILD_OPTIONS]);

/* Writes the options of a trial's kernel: a scenario's, or the limits kernel. */
void build_options_trial(enum device_kind kind, const struct device_probe *probe, const struct trial *trial,
                         char text[BUILD_OPTIONS]);

/* Writes those of the limits kernel for a footprint. */
void build_options_limits(enum device_kind kind, const struct device_probe *probe, const struct footprint *footprint,
                          bool live, char text[BUILD_OPTIONS]);
