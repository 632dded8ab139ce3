/* What may help a source of the user's that the driver does not build. */
#pragma once

#include "engine/subjects.h"

enum { HINT_BYTES = 3 * SUBJECT_PATH + 512 };

/*
 * Writes a sentence, or "": a file is included that is not found, or that no kernel has; a name that the driver does
 * not know is defined in another of the files; or it builds as another version of OpenCL C, which is tried. `log` is
 * what the driver says.
 */
void hint_find(const struct subject_request *request, const struct executor *executor, const struct subject *subject,
               const char *log, char hint[HINT_BYTES]);
