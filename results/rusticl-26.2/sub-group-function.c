/*
 * Built-in functions of sub-groups and a branch, in the kernel itself or in a function that the kernel calls.
 *
 *     cc -std=c11 -Wall -Wextra sub-group-function.c -lOpenCL -o sub-group-function
 *     RUSTICL_ENABLE=llvmpipe ./sub-group-function kernel     # prints 0
 *     RUSTICL_ENABLE=llvmpipe ./sub-group-function function   # expected: the same
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <string.h>

#define PLACE "get_sub_group_local_id() == 0 ? get_sub_group_id() : 9u"
static const char in_kernel[] = "kernel void tell(global uint *out) { *out = " PLACE "; }";
static const char in_function[] = "static uint place(void) { return " PLACE "; }\n"
                                  "kernel void tell(global uint *out) { *out = place(); }";

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        const cl_int failure = (call);                                                                                 \
        if (failure != CL_SUCCESS)                                                                                     \
            return fprintf(stderr, "%s: %d\n", #call, failure), 3;                                                     \
    } while (0)

int main(int count, char **words)
{
    const char *source = count > 1 && strcmp(words[1], "function") == 0 ? in_function : in_kernel;
    const size_t one = 1;
    cl_platform_id platform;
    cl_device_id device;
    cl_uint told = 99;
    cl_int code;

    CHECK(clGetPlatformIDs(1, &platform, NULL));
    CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    CHECK(code);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    CHECK(code);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    CHECK(code);
    CHECK(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "tell", &code);
    CHECK(code);
    cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof told, NULL, &code);
    CHECK(code);
    CHECK(clSetKernelArg(kernel, 0, sizeof out, &out));
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof told, &told, 0, NULL, NULL));
    printf("%u\n", told);
    return told != 0;
}
