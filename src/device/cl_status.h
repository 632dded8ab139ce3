/* OpenCL error codes in words. */
#ifndef GRIDLOCK_DEVICE_CL_STATUS_H
#define GRIDLOCK_DEVICE_CL_STATUS_H

#include "core/error.h"

#include <CL/cl.h>

/* "CL_OUT_OF_RESOURCES", or "error -9999" for a code that the specification does not know. */
const char *cl_status_name(cl_int code);

/* Sets `error` to "call: name" with STATUS_HARNESS and returns -1. */
int cl_status_error(struct error *error, const char *call, cl_int code);

#endif
