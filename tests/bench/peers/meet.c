/*
 * The most work-groups of a kernel that meet at a barrier written into it by hand, without any header of gridlock's.
 *
 *     meet FILE KERNEL GX GY GZ POLLS TRIES DEVICE
 *     meet --binary FILE OUT DEVICE
 *
 * The kernel's arguments are (global uint *count, uint groups, uint polls, global uint *out): each group adds 1 to
 * count, and its first work-item polls, at most so often, until all groups have; out[group] is then 1, else 0. Prints
 * the most groups at which one of TRIES launches had all groups meet; DEVICE is a part of the platform's name. --binary
 * writes what the driver makes of FILE, on NVIDIA its PTX.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cl_context context;
static cl_command_queue queue;
static cl_kernel kernel;
static size_t group[3];
static cl_uint polls;

static void check(cl_int code, const char *call)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "%s: error %d\n", call, code);
    exit(1);
}

static char *read_file(const char *path)
{
    char *text = calloc(1, 1 << 20);
    FILE *file = fopen(path, "r");
    if (text == NULL || file == NULL || fread(text, 1, (1 << 20) - 1, file) == 0) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    fclose(file);
    return text;
}

static cl_device_id find_device(const char *wanted)
{
    cl_platform_id platforms[16];
    cl_uint count = 0;
    check(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
    for (cl_uint i = 0; i < count && i < 16; ++i) {
        char name[256] = "";
        cl_device_id device;
        clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name - 1, name, NULL);
        if (strstr(name, wanted) != NULL &&
            clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS)
            return device;
    }
    fprintf(stderr, "no device of %s\n", wanted);
    exit(1);
}

/* All groups of one launch met. */
static int meet(cl_uint groups)
{
    const size_t global[3] = {group[0] * groups, group[1], group[2]};
    cl_uint *out = calloc(groups, sizeof *out), zero = 0, met = 0;
    cl_int code;
    cl_mem counter = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof zero, &zero, &code);
    check(code, "clCreateBuffer");
    cl_mem answers =
        clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, groups * sizeof *out, out, &code);
    check(code, "clCreateBuffer");
    check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &counter), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof groups, &groups), "clSetKernelArg");
    check(clSetKernelArg(kernel, 2, sizeof polls, &polls), "clSetKernelArg");
    check(clSetKernelArg(kernel, 3, sizeof(cl_mem), &answers), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(queue, kernel, 3, NULL, global, group, 0, NULL, NULL), "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(queue, answers, CL_TRUE, 0, groups * sizeof *out, out, 0, NULL, NULL),
          "clEnqueueReadBuffer");
    for (cl_uint i = 0; i < groups; ++i)
        met += out[i] == 1;
    clReleaseMemObject(counter);
    clReleaseMemObject(answers);
    free(out);
    return met == groups;
}

static int meets(cl_uint groups, long tries)
{
    for (long i = 0; i < tries; ++i)
        if (meet(groups))
            return 1;
    return 0;
}

static cl_program build(const char *file, cl_device_id device)
{
    char *text = read_file(file);
    const char *source = text;
    cl_int code;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(code, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    free(text);
    return program;
}

static int write_binary(const char *source, const char *out, const char *device)
{
    size_t size = 0;
    cl_program program = build(source, find_device(device));
    check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL), "CL_PROGRAM_BINARY_SIZES");
    unsigned char *binary = calloc(1, size + 1);
    FILE *file = fopen(out, "w");
    if (binary == NULL || file == NULL) {
        fprintf(stderr, "cannot write %s\n", out);
        return 1;
    }
    check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL), "CL_PROGRAM_BINARIES");
    const int wrong = fwrite(binary, 1, size, file) != size;
    free(binary);
    return fclose(file) != 0 || wrong;
}

int main(int count, char **arguments)
{
    enum { MOST = 1 << 20 };
    cl_int code;

    if (count == 5 && strcmp(arguments[1], "--binary") == 0)
        return write_binary(arguments[2], arguments[3], arguments[4]);
    if (count != 9) {
        fputs("meet FILE KERNEL GX GY GZ POLLS TRIES DEVICE\n", stderr);
        return 2;
    }
    for (int i = 0; i < 3; ++i)
        group[i] = strtoul(arguments[3 + i], NULL, 10);
    polls = (cl_uint)strtoul(arguments[6], NULL, 10);
    const long tries = strtol(arguments[7], NULL, 10);
    cl_device_id device = find_device(arguments[8]);
    kernel = clCreateKernel(build(arguments[1], device), arguments[2], &code);
    check(code, "clCreateKernel");
    queue = clCreateCommandQueue(context, device, 0, &code);
    check(code, "clCreateCommandQueue");
    cl_uint below = 0, above = 1;
    while (above < MOST && meets(above, tries)) {
        below = above;
        above *= 2;
    }
    while (above - below > 1) {
        const cl_uint middle = below + (above - below) / 2;
        if (meets(middle, tries))
            below = middle;
        else
            above = middle;
    }
    printf("%u\n", below);
    return 0;
}
