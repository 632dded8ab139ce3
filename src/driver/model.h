/*
 * A driver of OpenCL whose one device is a model device: kernels are compiled by model/compile.h and run by
 * model/machine.h, on the thread that enqueues them. Its queues run their commands in their order. It has no
 * shared virtual memory, and images only for kernels: the host copies none.
 */
#pragma once

#include "core/device_info.h"
#include "core/schedule.h"
#include "driver/opencl.h"
#include "explore/explore.h"
#include "litmus/emulate.h"
#include "model/compile.h"

/* What else becomes of a kernel's event, beside CL_OUT_OF_RESOURCES: it did what no kernel may, which stderr has. */
#define MODEL_STOOD (-9001)   /* it never ends by itself, and nobody watches who could end it */
#define MODEL_SPENT (-9002)   /* it neither ended nor stood still within its bound of steps */
#define MODEL_REFUSED (-9003) /* it was not begun: there is not the memory for so many work-items */

/* Tells what a work-item of the last launch did that no kernel may, and in which line; "": nothing. */
const char *model_fault(void);

/* Returns the turns of the last launch (model/machine.h), valid until the next one. */
const struct schedule *model_schedule(void);

/* Writes where the last of these turns were cut, as struct schedule_kept has it; the kernel is that of the launch. */
void model_stops(cl_kernel kernel, char text[SCHEDULE_STOPS_TEXT]);

/*
 * Launches that follow are explored within these bounds, and not run, until `into` is NULL; each fills it, and its
 * commands have memory as it was. A launch that was not explored, for want of memory, leaves `into` as it is.
 */
void model_explore(const struct explore_bounds *bounds, struct explored *into);

/*
 * Where each of its sites is, and its fault, or "", in MODEL_LINE bytes, as model_lines() of model/compile.h tells; the
 * kernel is that of the launch.
 */
void model_explored_lines(cl_kernel kernel, const struct explored *explored, char (*lines)[MODEL_LINE],
                          char *fault_line);

/* Whether the kernel may use this one of its arguments. */
bool model_argument_is_used(cl_kernel kernel, cl_uint index);

/*
 * From now on it has this device; `like`: which says of itself what this one says, and has its holdings; or NULL.
 * NULL with STATUS_UNSUPPORTED: there is nothing that builds kernels.
 */
const struct opencl *opencl_of_model(const struct model_device *device, const struct device_info *like,
                                     struct error *error);
