/* OpenCL error codes in words, and what they mean of a launch. */
#pragma once

#include "base/error.h"
#include "device/calls.h"
#include "judge/observation.h"

/* "CL_OUT_OF_RESOURCES", or "error -9999" for a code that the specification does not know. */
const char *cl_status_name(cl_int code);

/* Sets `error` to "call: name" with STATUS_HARNESS and returns -1. */
int cl_status_error(struct error *error, const char *call, cl_int code);

/*
 * What the end of a launch means: OUTCOME_ENDED; OUTCOME_UNSUPPORTED if the driver refused its shape before anything
 * ran; OUTCOME_DEVICE_LOST if it failed afterwards; else OUTCOME_CL_ERROR.
 */
enum outcome cl_launch_outcome(cl_int enqueue_code, cl_int finish_code);
