/* Sub-groups, which are of OpenCL C 3.0, or of an extension. */
#ifndef GRIDLOCK_PROMISE_SUB_GROUP_H
#define GRIDLOCK_PROMISE_SUB_GROUP_H

#if defined(cl_khr_subgroups)
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif

#endif
