/*
 * Unified shared memory, which is had by extension functions: Intel's drivers have them, and PoCL since version 4. The
 * one that makes it an argument of a kernel is stood before; the driver itself tells what an address belongs to.
 */
#pragma once

#include "door/door.h"

#define SHARED_SET "clSetKernelArgMemPointerINTEL"
#define SHARED_INFO "clGetMemAllocInfoINTEL"
#define SHARED_COPY "clEnqueueMemcpyINTEL"

/* What the program is given in place of the driver's `set`; that itself, if there are too many drivers. */
void *shared_stand_before(void *set, void *info, void *copy) DOOR_HIDDEN;

/* Of a driver. */
struct shared;

cl_int shared_set(const struct shared *of, cl_kernel kernel, cl_uint index, const void *value) DOOR_HIDDEN;
/* Of the memory that this address is in, the bytes from there to its end; 0: it is not known. */
uint64_t shared_bytes(const struct shared *of, cl_kernel kernel, const void *at) DOOR_HIDDEN;
typedef cl_int CL_API_CALL shared_copy_function(cl_command_queue, cl_bool, void *, const void *, size_t, cl_uint,
                                                const cl_event *, cl_event *);
/* What reads it, as clEnqueueSVMMemcpy does; NULL: nothing else. */
shared_copy_function *shared_copy(const struct shared *of) DOOR_HIDDEN;
