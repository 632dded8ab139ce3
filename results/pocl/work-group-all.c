/*
 * work_group_all of a predicate that is true for all work-items is not 0.
 *
 *     cc work-group-all.c -lOpenCL -o work-group-all && ./work-group-all
 * Exit status: 0 it is not 0, 1 it is, 2 the device has no such functions, 3 another call failed.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

enum { ITEMS = 4 };
static const char *source = "kernel void ask(global int *out)\n"
                            "{\n"
                            "    out[get_local_id(0)] = work_group_all(1);\n"
                            "}\n";

static void check(cl_int code, const char *what)
{
    if (code != CL_SUCCESS)
        exit((fprintf(stderr, "%s: OpenCL error %d\n", what, code), 3));
}

int main(void)
{
    const size_t items = ITEMS;
    cl_int out[ITEMS] = {0}, wrong = 0, code;
    cl_bool offered = CL_FALSE;
    cl_platform_id platform = NULL;
    cl_device_id device = NULL;
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    clGetDeviceInfo(device, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, sizeof offered, &offered, NULL);
    if (!offered)
        return puts("not offered"), 2;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    check(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL), "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, "ask", NULL);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof out, out, NULL);
    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    code = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL);
    check(code, "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL), "clEnqueueReadBuffer");
    for (int i = 0; i < ITEMS; ++i)
        wrong += printf("%d ", out[i]) > 0 && out[i] == 0;
    puts(wrong != 0 ? "wrong: the predicate is true for all work-items" : "right");
    return wrong != 0;
}
