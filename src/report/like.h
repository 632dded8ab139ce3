/* Model devices by the names that users give them: alone, or like a device that a run file has measured. */
#pragma once

#include "core/device_info.h"
#include "litmus/emulate.h"

/*
 * Reads the name of a model device. If it is like another ("model:like:RUN"), the run file tells, unless the name
 * does, how many groups it holds of which footprint, its progress model, and the order in which it takes groups. Sets
 * the name in *info, and for such a device what it says of itself, and its holdings. STATUS_USAGE: not such a name.
 */
int like_read(const char *text, struct model_device *device, struct device_info *info, struct error *error);
