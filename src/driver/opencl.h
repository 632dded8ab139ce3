/*
 * OpenCL as a table of functions, so that a device may be of a driver that no loader knows. The system's loader makes
 * one such table; src/driver has another, of model devices.
 */
#pragma once

#include "base/error.h"

#include <CL/cl.h>

/* clang-format off */
#define OPENCL_FUNCTIONS(X) \
    X(clBuildProgram) X(clCreateBuffer) X(clCreateCommandQueue) X(clCreateContext) X(clCreateImage) \
    X(clCreateKernel) X(clCreateKernelsInProgram) X(clCreateProgramWithSource) X(clCreateSampler) X(clCreateSubBuffer) \
    X(clCreateUserEvent) X(clEnqueueBarrierWithWaitList) X(clEnqueueCopyBuffer) X(clEnqueueFillBuffer) \
    X(clEnqueueMapBuffer) X(clEnqueueMarkerWithWaitList) X(clEnqueueNDRangeKernel) X(clEnqueueReadBuffer) \
    X(clEnqueueReadBufferRect) X(clEnqueueSVMMap) X(clEnqueueSVMUnmap) X(clEnqueueUnmapMemObject) \
    X(clEnqueueWriteBuffer) X(clEnqueueWriteBufferRect) X(clFinish) X(clFlush) X(clGetDeviceIDs) X(clGetDeviceInfo) \
    X(clGetEventInfo) X(clGetEventProfilingInfo) X(clGetExtensionFunctionAddressForPlatform) X(clGetKernelArgInfo) \
    X(clGetKernelInfo) X(clGetKernelWorkGroupInfo) X(clGetPlatformIDs) X(clGetPlatformInfo) X(clGetProgramBuildInfo) \
    X(clGetProgramInfo) X(clReleaseCommandQueue) X(clReleaseContext) X(clReleaseEvent) X(clReleaseKernel) \
    X(clReleaseMemObject) X(clReleaseProgram) X(clReleaseSampler) X(clRetainEvent) X(clRetainProgram) X(clSVMAlloc) \
    X(clSVMFree) X(clSetEventCallback) X(clSetKernelArg) X(clSetKernelArgSVMPointer) X(clSetKernelExecInfo) \
    X(clSetUserEventStatus) X(clWaitForEvents)
/* clang-format on */

#define OPENCL_POINTER(name) __typeof__(name) *(name);

struct opencl {
    OPENCL_FUNCTIONS(OPENCL_POINTER)
};

/*
 * Returns the functions of the system's loader, which the first call loads, and which reads the registered drivers when
 * it is first used. STATUS_UNSUPPORTED if no loader is installed, or if it lacks a function.
 */
const struct opencl *opencl_of_loader(struct error *error);
