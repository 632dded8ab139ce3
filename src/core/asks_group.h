/* Whether a kernel may be another one where its groups have several work-items. */
#pragma once

#include <stdbool.h>

/* A text of OpenCL C calls functions by which the work-items of a group differ or meet: get_local_id, barrier. */
bool asks_group(const char *text);
