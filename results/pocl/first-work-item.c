/*
 * The first work-item of a group of 1 x 128 work-items runs once.
 *
 *     cc first-work-item.c -lOpenCL -o first-work-item && ./first-work-item
 * Exit status: 0 it ran once, 1 it did not, 3 another call failed.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static const char *source = "kernel void count(global uint *out)\n"
                            "{\n"
                            "    if (get_global_id(0) != 0 || get_global_id(1) != 0)\n"
                            "        return;\n"
                            "    for (uint i = 0; i < 3; ++i)\n"
                            "        out[i + 1] = get_local_size(i);\n"
                            "    atomic_add(out, 1u);\n"
                            "}\n";

static void check(cl_int code, const char *what)
{
    if (code != CL_SUCCESS)
        exit((fprintf(stderr, "%s: OpenCL error %d\n", what, code), 3));
}

int main(void)
{
    const size_t size[2] = {1, 128};
    cl_uint out[4] = {0};
    cl_int code;
    cl_platform_id platform = NULL;
    cl_device_id device = NULL;
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, "count", NULL);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof out, out, NULL);
    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    check(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, size, size, 0, NULL, NULL), "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL), "clEnqueueReadBuffer");
    printf("the first work-item ran %u times: %s\n", out[0], out[0] == 1 ? "right" : "wrong");
    return out[0] != 1;
}
