/*
 * A private struct that holds an array keeps, across barriers, the number that its work-item put in.
 *
 *     cc private-struct.c -lOpenCL -o private-struct && ./private-struct
 * Exit status: 0 each work-item found its own number, 1 one did not, 3 another call failed.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

enum { ITEMS = 8 };
static const char *source = "struct self { global uint *out; uint numbers[3]; };\n"
                            "kernel void keep(global uint *out, uint rounds)\n"
                            "{\n"
                            "    struct self self;\n"
                            "    self.out = out;\n"
                            "    self.numbers[rounds % 3] = get_local_id(0) + 1;\n"
                            "    if (rounds == 77) return;\n"
                            "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                            "    for (uint i = 0; i < rounds; ++i) {\n"
                            "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                            "        if (out[8] == 77) return;\n"
                            "    }\n"
                            "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                            "    self.out[get_local_id(0)] = self.numbers[(rounds + 3) % 3];\n"
                            "}\n";

static void check(cl_int code, const char *what)
{
    if (code != CL_SUCCESS)
        exit((fprintf(stderr, "%s: OpenCL error %d\n", what, code), 3));
}

int main(void)
{
    const size_t items = ITEMS;
    cl_uint out[ITEMS + 1] = {0}, rounds = 1, wrong = 0;
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
    cl_kernel kernel = clCreateKernel(program, "keep", NULL);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof out, out, NULL);
    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    clSetKernelArg(kernel, 1, sizeof rounds, &rounds);
    code = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL);
    check(code, "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL), "clEnqueueReadBuffer");
    for (cl_uint i = 0; i < ITEMS; ++i)
        wrong += printf("%u ", out[i]) > 0 && out[i] != i + 1;
    puts(wrong != 0 ? "wrong: each work-item should find its own number" : "right");
    return wrong != 0;
}
