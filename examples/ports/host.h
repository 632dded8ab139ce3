/* What the three programs need of OpenCL, on the first device that there is. An error ends them with status 3. */
#ifndef HOST_H
#define HOST_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct host {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
};

static inline void host_end(const char *sentence)
{
    fprintf(stderr, "%s\n", sentence);
    exit(3);
}

static inline void host_check(cl_int error, const char *what)
{
    if (error == CL_SUCCESS)
        return;
    fprintf(stderr, "%s: OpenCL's error %d\n", what, (int)error);
    exit(3);
}

static inline void host_build(struct host *host, const char *path)
{
    static char text[1 << 16], log[1 << 14];
    const char *source = text;
    FILE *const file = fopen(path, "r");
    cl_int error;

    if (file == NULL || fread(text, 1, sizeof text - 1, file) == 0)
        host_check(CL_INVALID_VALUE, path);
    fclose(file);
    host->program = clCreateProgramWithSource(host->context, 1, &source, NULL, &error);
    host_check(error, path);
    if (clBuildProgram(host->program, 1, &host->device, "-I . -cl-std=CL3.0", NULL, NULL) == CL_SUCCESS)
        return;
    clGetProgramBuildInfo(host->program, host->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fprintf(stderr, "%s\n", log);
    exit(3);
}

static inline void host_open(struct host *host, const char *path)
{
    cl_platform_id platforms[16];
    cl_uint count = 0;
    cl_int error = CL_DEVICE_NOT_FOUND;

    host_check(clGetPlatformIDs(16, platforms, &count), "platforms");
    for (cl_uint i = 0; i < count && i < 16 && error != CL_SUCCESS; ++i)
        error = clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &host->device, NULL);
    host_check(error, "a device");
    host->context = clCreateContext(NULL, 1, &host->device, NULL, NULL, &error);
    host_check(error, "a context");
    host->queue = clCreateCommandQueue(host->context, host->device, 0, &error);
    host_check(error, "a queue");
    host_build(host, path);
}

static inline cl_kernel host_kernel(const struct host *host, const char *name)
{
    cl_int error;
    const cl_kernel kernel = clCreateKernel(host->program, name, &error);

    host_check(error, name);
    return kernel;
}

static inline cl_mem host_buffer(const struct host *host, size_t bytes)
{
    cl_int error;
    const cl_mem buffer = clCreateBuffer(host->context, CL_MEM_READ_WRITE, bytes, NULL, &error);

    host_check(error, "a buffer");
    return buffer;
}

static inline void host_write(const struct host *host, cl_mem buffer, const void *data, size_t bytes)
{
    host_check(clEnqueueWriteBuffer(host->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL), "writing");
}

static inline void host_read(const struct host *host, cl_mem buffer, void *data, size_t bytes)
{
    host_check(clEnqueueReadBuffer(host->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL), "reading");
}

static inline void host_buffer_argument(cl_kernel kernel, cl_uint place, cl_mem buffer)
{
    host_check(clSetKernelArg(kernel, place, sizeof buffer, &buffer), "an argument");
}

static inline void host_number_argument(cl_kernel kernel, cl_uint place, cl_uint number)
{
    host_check(clSetKernelArg(kernel, place, sizeof number, &number), "an argument");
}

static inline void host_launch(const struct host *host, cl_kernel kernel, size_t global, size_t local)
{
    host_check(clEnqueueNDRangeKernel(host->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL), "a launch");
}

static inline double host_ms(void)
{
    struct timespec now;

    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* A number of all bytes of a result, FNV-1a: equal results have the same. */
static inline void host_print(const void *data, size_t bytes, double ms)
{
    const unsigned char *at = data;
    uint64_t hash = UINT64_C(14695981039346656037);

    for (size_t i = 0; i < bytes; ++i)
        hash = (hash ^ at[i]) * UINT64_C(1099511628211);
    printf("%016llx %.3f ms\n", (unsigned long long)hash, ms);
}

#endif
