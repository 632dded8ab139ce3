/* A model device of four places, opened by its driver, and a program on it. */
#pragma once

#include "driver/model.h"
#include "harness.h"

enum { BUFFERS = 8 };

static const struct opencl *cl;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_kernel kernel;
static cl_mem buffers[BUFFERS];
static cl_int code;
static enum model_reads driver_reads; /* to be set before driver_begin, as */
static uint32_t driver_sub_groups;    /* work-items of one, or 0 */

static inline void driver_begin(const char *source, const char *options)
{
    const struct model_device model = {
        .model = LITMUS_OBE, .resident = 4, .reads = driver_reads, .sub_groups = driver_sub_groups};
    struct error error;
    cl_platform_id platform;
    char log[4096] = "";

    cl = opencl_of_model(&model, NULL, &error);
    ck_assert_int_eq(cl->clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
    ck_assert_int_eq(cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), CL_SUCCESS);
    context = cl->clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    queue = cl->clCreateCommandQueue(context, device, 0, &code);
    program = cl->clCreateProgramWithSource(context, 1, &source, NULL, &code);
    code = cl->clBuildProgram(program, 1, &device, options, NULL, NULL);
    cl->clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    ck_assert_msg(code == CL_SUCCESS, "%s", log);
}

/* The one that is set up and run from now on. */
static inline void driver_kernel(const char *name)
{
    if (kernel != NULL)
        ck_assert_int_eq(cl->clReleaseKernel(kernel), CL_SUCCESS);
    kernel = cl->clCreateKernel(program, name, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
}

/* An argument that is a buffer, of the host's memory. */
static inline void driver_buffer(cl_uint index, void *memory, size_t bytes)
{
    if (buffers[index] != NULL)
        ck_assert_int_eq(cl->clReleaseMemObject(buffers[index]), CL_SUCCESS);
    buffers[index] = cl->clCreateBuffer(context, CL_MEM_USE_HOST_PTR, bytes, memory, &code);
    ck_assert_int_eq(cl->clSetKernelArg(kernel, index, sizeof *buffers, &buffers[index]), CL_SUCCESS);
}

/* Runs it, in two dimensions. */
static inline void driver_run(const size_t *global, const size_t *local)
{
    ck_assert_int_eq(cl->clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL), CL_SUCCESS);
    ck_assert_int_eq(cl->clFinish(queue), CL_SUCCESS);
    ck_assert_str_eq(model_fault(), "");
}

static inline void driver_end(void)
{
    for (size_t i = 0; i < BUFFERS; ++i) {
        if (buffers[i] != NULL)
            ck_assert_int_eq(cl->clReleaseMemObject(buffers[i]), CL_SUCCESS);
        buffers[i] = NULL;
    }
    ck_assert_int_eq(cl->clReleaseKernel(kernel), CL_SUCCESS);
    kernel = NULL;
    ck_assert_int_eq(cl->clReleaseProgram(program), CL_SUCCESS);
    ck_assert_int_eq(cl->clReleaseCommandQueue(queue), CL_SUCCESS);
    ck_assert_int_eq(cl->clReleaseContext(context), CL_SUCCESS);
}
