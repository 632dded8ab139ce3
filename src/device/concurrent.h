/* cl_intel_concurrent_dispatch: the function of that extension. */
#pragma once

#include "device/session.h"

#include <CL/cl.h>

typedef cl_int CL_API_CALL concurrent_count(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                            const size_t *offset, const size_t *local, size_t *groups);

/* clGetKernelMaxConcurrentWorkGroupCountINTEL, or NULL: the driver has none. */
concurrent_count *concurrent_find_count(const struct session *session);
