/* The end of a worker, put in words. */
#pragma once

#include "base/error.h"
#include "host/supervisor.h"

/*
 * Sets `error` to what became of a worker that did not answer, with the last line that it wrote,
 * and returns -1. STATUS_HARNESS; STATUS_WEDGED if it could not be killed; 128 + the signal if
 * it was ended because this process was asked to end.
 */
int death_error(const struct supervisor_end *end, struct error *error);
