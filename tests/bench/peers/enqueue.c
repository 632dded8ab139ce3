/*
 * The peer of tests/bench/trials.py: a bare loop that fills a buffer, enqueues a kernel and waits for it.
 *
 *     gcc -O2 -I KERNELS enqueue.c -lOpenCL -o enqueue && ./enqueue KERNELS GROUPS SIZE LAUNCHES
 *
 * The kernel is barrier_central.cl from the folder KERNELS, on the first device of the first platform that has
 * "Portable" in its name. Prints launches per second.
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "abi.h"

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void check(cl_int code, const char *what)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "enqueue: %s: %d\n", what, (int)code);
    exit(1);
}

static cl_device_id find_device(void)
{
    cl_platform_id platforms[16];
    cl_uint count = 0;
    cl_device_id device;
    char name[256];

    check(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
    for (cl_uint i = 0; i < count; ++i) {
        check(clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL), "clGetPlatformInfo");
        if (strstr(name, "Portable") != NULL &&
            clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS)
            return device;
    }
    fputs("enqueue: PoCL is not there\n", stderr);
    exit(1);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int count, char **arguments)
{
    char source[256], options[512];
    cl_int code;

    if (count != 5) {
        fputs("usage: enqueue KERNELS GROUPS SIZE LAUNCHES\n", stderr);
        return 2;
    }
    const unsigned groups = (unsigned)atoi(arguments[2]);
    const size_t size = (size_t)atoi(arguments[3]), global = groups * size;
    const int launches = atoi(arguments[4]);
    const size_t words = GL_SYNC(groups) + GL_LINE, cells = 2 * global;
    cl_device_id device = find_device();
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
    check(code, "clCreateCommandQueue");
    snprintf(source, sizeof source, "#include \"barrier_central.cl\"\n");
    const char *text = source;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    check(code, "clCreateProgramWithSource");
    snprintf(options, sizeof options,
             "-I%s -cl-std=CL3.0 -DGL_DIALECT_CL30 -DGL_YIELD -DGL_LOCAL_SIZE=%zu -DACCESS_PLAIN -DFENCE_BOTH "
             "-DFAULT_NONE -DPARAM_SILENT=0 -DPOLL_LOAD",
             arguments[1], size);
    check(clBuildProgram(program, 1, &device, options, NULL, NULL), "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, "barrier_central", &code);
    check(code, "clCreateKernel");
    cl_mem board = clCreateBuffer(context, CL_MEM_READ_WRITE, words * sizeof(cl_uint), NULL, &code);
    check(code, "clCreateBuffer");
    cl_mem data = clCreateBuffer(context, CL_MEM_READ_WRITE, cells * sizeof(cl_uint), NULL, &code);
    check(code, "clCreateBuffer");
    cl_uint *zeros = calloc(words > cells ? words : cells, sizeof *zeros);
    cl_uint *first = calloc(words, sizeof *first);
    first[GL_MODE] = GL_MODE_WORK;
    first[GL_GROUPS] = groups;
    first[GL_ROUNDS] = 3;
    first[GL_FUSE_IDLE] = first[GL_FUSE_TOTAL] = 1u << 30;
    check(clSetKernelArg(kernel, 0, sizeof board, &board), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof data, &data), "clSetKernelArg");
    double began = 0;
    for (int i = -1; i < launches; ++i) { /* the first one compiles */
        cl_event event;
        if (i == 0)
            began = seconds();
        check(clEnqueueWriteBuffer(queue, board, CL_TRUE, 0, words * sizeof *first, first, 0, NULL, NULL), "write");
        check(clEnqueueWriteBuffer(queue, data, CL_TRUE, 0, cells * sizeof *zeros, zeros, 0, NULL, NULL), "write");
        check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &size, 0, NULL, &event), "enqueue");
        check(clFinish(queue), "clFinish");
        check(clEnqueueReadBuffer(queue, board, CL_TRUE, 0, words * sizeof *zeros, zeros, 0, NULL, NULL), "read");
        if (zeros[GL_STARTED] != groups) {
            fputs("enqueue: not all groups ran\n", stderr);
            return 1;
        }
        memset(zeros, 0, words * sizeof *zeros);
        clReleaseEvent(event);
    }
    printf("%.0f\n", launches / (seconds() - began));
    return 0;
}
