/*
 * OpenCL of the driver in use, each of whose calls is entered in the page that the worker shares with the supervisor
 * while it has not returned. So whatever the driver dies of, or does not come back from, the call that was not seen to
 * return is known.
 */
#pragma once

#include "driver/opencl.h"
#include "wire/calls.h"

/* What all calls go to: listing_read sets it. */
extern const struct opencl *opencl;

/* From now on calls are entered there; before, nowhere. */
void calls_open(struct calls *calls);

/* What is so of the calls that follow (struct calls); "": nothing that is worth telling. */
void calls_are_made(const char *when);

/* This thread enters a call; or has come back from it, whose value they return. */
void call_enters(const char *name);
cl_int call_left(cl_int value);
void *call_left_with(void *value);
void call_has_left(void);

/* A call by a pointer, which is given with its arguments. */
#define CALL_BY(name, call) call_left((call_enters(name), (call)))

#define CALL_OF(function, ...)                                                                                         \
    _Generic((opencl->function(__VA_ARGS__)), cl_int                                                                   \
             : call_left, default                                                                                      \
             : call_left_with)((call_enters(#function), opencl->function(__VA_ARGS__)))

#define clBuildProgram(...) CALL_OF(clBuildProgram, __VA_ARGS__)
#define clCreateBuffer(...) CALL_OF(clCreateBuffer, __VA_ARGS__)
#define clCreateCommandQueue(...) CALL_OF(clCreateCommandQueue, __VA_ARGS__)
#define clCreateContext(...) CALL_OF(clCreateContext, __VA_ARGS__)
#define clCreateImage(...) CALL_OF(clCreateImage, __VA_ARGS__)
#define clCreateKernel(...) CALL_OF(clCreateKernel, __VA_ARGS__)
#define clCreateKernelsInProgram(...) CALL_OF(clCreateKernelsInProgram, __VA_ARGS__)
#define clCreateProgramWithSource(...) CALL_OF(clCreateProgramWithSource, __VA_ARGS__)
#define clCreateSampler(...) CALL_OF(clCreateSampler, __VA_ARGS__)
#define clCreateSubBuffer(...) CALL_OF(clCreateSubBuffer, __VA_ARGS__)
#define clCreateUserEvent(...) CALL_OF(clCreateUserEvent, __VA_ARGS__)
#define clEnqueueBarrierWithWaitList(...) CALL_OF(clEnqueueBarrierWithWaitList, __VA_ARGS__)
#define clEnqueueCopyBuffer(...) CALL_OF(clEnqueueCopyBuffer, __VA_ARGS__)
#define clEnqueueFillBuffer(...) CALL_OF(clEnqueueFillBuffer, __VA_ARGS__)
#define clEnqueueMapBuffer(...) CALL_OF(clEnqueueMapBuffer, __VA_ARGS__)
#define clEnqueueMarkerWithWaitList(...) CALL_OF(clEnqueueMarkerWithWaitList, __VA_ARGS__)
#define clEnqueueNDRangeKernel(...) CALL_OF(clEnqueueNDRangeKernel, __VA_ARGS__)
#define clEnqueueReadBuffer(...) CALL_OF(clEnqueueReadBuffer, __VA_ARGS__)
#define clEnqueueReadBufferRect(...) CALL_OF(clEnqueueReadBufferRect, __VA_ARGS__)
#define clEnqueueSVMMap(...) CALL_OF(clEnqueueSVMMap, __VA_ARGS__)
#define clEnqueueSVMUnmap(...) CALL_OF(clEnqueueSVMUnmap, __VA_ARGS__)
#define clEnqueueUnmapMemObject(...) CALL_OF(clEnqueueUnmapMemObject, __VA_ARGS__)
#define clEnqueueWriteBuffer(...) CALL_OF(clEnqueueWriteBuffer, __VA_ARGS__)
#define clEnqueueWriteBufferRect(...) CALL_OF(clEnqueueWriteBufferRect, __VA_ARGS__)
#define clFinish(...) CALL_OF(clFinish, __VA_ARGS__)
#define clFlush(...) CALL_OF(clFlush, __VA_ARGS__)
#define clGetDeviceIDs(...) CALL_OF(clGetDeviceIDs, __VA_ARGS__)
#define clGetDeviceInfo(...) CALL_OF(clGetDeviceInfo, __VA_ARGS__)
#define clGetExtensionFunctionAddressForPlatform(...) CALL_OF(clGetExtensionFunctionAddressForPlatform, __VA_ARGS__)
#define clGetEventInfo(...) CALL_OF(clGetEventInfo, __VA_ARGS__)
#define clGetEventProfilingInfo(...) CALL_OF(clGetEventProfilingInfo, __VA_ARGS__)
#define clGetKernelArgInfo(...) CALL_OF(clGetKernelArgInfo, __VA_ARGS__)
#define clGetKernelInfo(...) CALL_OF(clGetKernelInfo, __VA_ARGS__)
#define clGetKernelWorkGroupInfo(...) CALL_OF(clGetKernelWorkGroupInfo, __VA_ARGS__)
#define clGetPlatformIDs(...) CALL_OF(clGetPlatformIDs, __VA_ARGS__)
#define clGetPlatformInfo(...) CALL_OF(clGetPlatformInfo, __VA_ARGS__)
#define clGetProgramBuildInfo(...) CALL_OF(clGetProgramBuildInfo, __VA_ARGS__)
#define clGetProgramInfo(...) CALL_OF(clGetProgramInfo, __VA_ARGS__)
#define clReleaseCommandQueue(...) CALL_OF(clReleaseCommandQueue, __VA_ARGS__)
#define clReleaseContext(...) CALL_OF(clReleaseContext, __VA_ARGS__)
#define clReleaseEvent(...) CALL_OF(clReleaseEvent, __VA_ARGS__)
#define clReleaseKernel(...) CALL_OF(clReleaseKernel, __VA_ARGS__)
#define clReleaseMemObject(...) CALL_OF(clReleaseMemObject, __VA_ARGS__)
#define clReleaseProgram(...) CALL_OF(clReleaseProgram, __VA_ARGS__)
#define clReleaseSampler(...) CALL_OF(clReleaseSampler, __VA_ARGS__)
#define clRetainEvent(...) CALL_OF(clRetainEvent, __VA_ARGS__)
#define clRetainProgram(...) CALL_OF(clRetainProgram, __VA_ARGS__)
#define clSVMAlloc(...) CALL_OF(clSVMAlloc, __VA_ARGS__)
#define clSetEventCallback(...) CALL_OF(clSetEventCallback, __VA_ARGS__)
#define clSetKernelArg(...) CALL_OF(clSetKernelArg, __VA_ARGS__)
#define clSetKernelArgSVMPointer(...) CALL_OF(clSetKernelArgSVMPointer, __VA_ARGS__)
#define clSetKernelExecInfo(...) CALL_OF(clSetKernelExecInfo, __VA_ARGS__)
#define clSetUserEventStatus(...) CALL_OF(clSetUserEventStatus, __VA_ARGS__)
#define clWaitForEvents(...) CALL_OF(clWaitForEvents, __VA_ARGS__)
#define clSVMFree(...) (call_enters("clSVMFree"), opencl->clSVMFree(__VA_ARGS__), call_has_left())
