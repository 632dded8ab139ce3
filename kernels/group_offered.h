/*
 * For kernels that use the work-group functions of OpenCL C 2.0, which are a feature that a device may lack since
 * OpenCL C 3.0. A build that ends with "unsupported:" says that there is nothing to try.
 */
#ifndef GRIDLOCK_GROUP_OFFERED_H
#define GRIDLOCK_GROUP_OFFERED_H

#if __OPENCL_C_VERSION__ < 200
#error "unsupported: the dialect is OpenCL C 1.2, which has no work-group collective functions"
#elif __OPENCL_C_VERSION__ >= 300 && !defined(__opencl_c_work_group_collective_functions)
#error "unsupported: the device does not offer work-group collective functions"
#endif

#endif
