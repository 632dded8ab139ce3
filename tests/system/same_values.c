/*
 * What test_same_values.py runs: kernels of one file, each on the same words, on a model device or on PoCL.
 *
 *     same_values DEVICE FILE ITEMS KERNEL...
 *
 * DEVICE is "model:..." or "pocl". Reads so many words for each of ITEMS work-items on standard input, and writes those
 * that each kernel leaves, one kernel after the other. Exit status: 0; 77: there is no PoCL; 1: OpenCL refused.
 */
#include "driver/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 8, PLATFORMS = 16, TEXT_MOST = 1 << 16 };

static const struct opencl *cl;

static void check(cl_int code, const char *what)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "same_values: %s: %d\n", what, (int)code);
    exit(1);
}

static const struct opencl *find_opencl(const char *name)
{
    struct model_device device;
    struct error error;
    const struct opencl *found = NULL;

    if (strcmp(name, "pocl") == 0)
        found = opencl_of_loader(&error);
    else if (model_device_parse(name, &device, &error) == 0)
        found = opencl_of_model(&device, NULL, &error);
    if (found == NULL) {
        fprintf(stderr, "same_values: %s\n", error.text);
        exit(77);
    }
    return found;
}

static cl_platform_id find_platform(bool pocl)
{
    cl_platform_id platforms[PLATFORMS];
    cl_uint count = 0;
    char name[256];

    cl->clGetPlatformIDs(PLATFORMS, platforms, &count);
    for (cl_uint i = 0; i < count && i < PLATFORMS; ++i) {
        check(cl->clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL), "clGetPlatformInfo");
        if (!pocl || strcmp(name, "Portable Computing Language") == 0)
            return platforms[i];
    }
    fputs("same_values: there is no PoCL\n", stderr);
    exit(77);
}

static cl_program build(cl_context context, cl_device_id device, const char *path)
{
    static char text[TEXT_MOST];
    const char *source = text;
    FILE *file = fopen(path, "re");
    cl_int code;

    if (file == NULL || fread(text, 1, sizeof text - 1, file) == 0) {
        fprintf(stderr, "same_values: cannot read %s\n", path);
        exit(1);
    }
    fclose(file);
    cl_program program = cl->clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(code, "clCreateProgramWithSource");
    check(cl->clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    return program;
}

static void run(cl_command_queue queue, cl_kernel kernel, cl_mem *buffers, cl_uint *words, size_t items)
{
    const cl_uint zero = 0;
    const size_t bytes = items * WORDS * sizeof *words;

    for (cl_uint i = 0; i < 2; ++i)
        check(cl->clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]), "clSetKernelArg");
    check(cl->clEnqueueFillBuffer(queue, buffers[1], &zero, sizeof zero, 0, bytes, 0, NULL, NULL), "fill");
    check(cl->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL), "enqueue");
    check(cl->clEnqueueReadBuffer(queue, buffers[1], CL_TRUE, 0, bytes, words, 0, NULL, NULL), "read");
    fwrite(words, 1, bytes, stdout);
}

int main(int count, char **arguments)
{
    cl_device_id device;
    cl_int code;

    if (count < 5) {
        fputs("usage: same_values DEVICE FILE ITEMS KERNEL...\n", stderr);
        return 2;
    }
    const size_t items = strtoul(arguments[3], NULL, 10), bytes = items * WORDS * sizeof(cl_uint);
    cl_uint *words = malloc(bytes);
    if (words == NULL || fread(words, 1, bytes, stdin) != bytes)
        return 1;
    cl = find_opencl(arguments[1]);
    cl_platform_id platform = find_platform(strcmp(arguments[1], "pocl") == 0);
    check(cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = cl->clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    cl_command_queue queue = cl->clCreateCommandQueue(context, device, 0, &code);
    check(code, "clCreateCommandQueue");
    cl_program program = build(context, device, arguments[2]);
    cl_mem buffers[2];
    for (int i = 0; i < 2; ++i) {
        buffers[i] = cl->clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &code);
        check(code, "clCreateBuffer");
    }
    check(cl->clEnqueueWriteBuffer(queue, buffers[0], CL_TRUE, 0, bytes, words, 0, NULL, NULL), "write");
    for (int i = 4; i < count; ++i) {
        cl_kernel kernel = cl->clCreateKernel(program, arguments[i], &code);
        check(code, arguments[i]);
        run(queue, kernel, buffers, words, items);
        check(cl->clReleaseKernel(kernel), "clReleaseKernel");
    }
    for (int i = 0; i < 2; ++i)
        check(cl->clReleaseMemObject(buffers[i]), "clReleaseMemObject");
    check(cl->clReleaseProgram(program), "clReleaseProgram");
    check(cl->clReleaseCommandQueue(queue), "clReleaseCommandQueue");
    check(cl->clReleaseContext(context), "clReleaseContext");
    free(words);
    return 0;
}
