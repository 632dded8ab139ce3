/*
 * What tests/bench/accesses.py runs: kernels that make a known number of accesses, on a model device or on the first
 * device of the loader.
 *
 *     bench_accesses DEVICE KERNEL GROUPS SIZE ACCESSES LAUNCHES
 *
 * DEVICE is "model:..." or "loader", KERNEL one of those below, ACCESSES what each work-item makes.
 * Prints the shortest of the launches, in nanoseconds of processors; how many bytes of memory were reserved for the
 * first one, at most, and how many of them were resident; and whether the launch "ended" or "stood".
 */
#include "driver/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Each kernel leaves in its work-item's word how many accesses it made. */
static const char source[] =
    "kernel void adds(volatile global uint *words, uint accesses)\n"
    "{\n"
    "    for (uint i = 0; i < accesses; i += 2)\n"
    "        words[get_global_id(0)] += 2;\n"
    "}\n"
    "kernel void atomics(volatile global uint *words, uint accesses)\n"
    "{\n"
    "    for (uint i = 0; i < accesses; ++i)\n"
    "        atomic_inc(words + get_global_id(0));\n"
    "}\n"
    "kernel void meets(volatile global uint *words, uint accesses)\n"
    "{\n"
    "    local volatile uint cells[64];\n"
    "    const uint id = get_local_id(0), size = get_local_size(0);\n"
    "    uint sum = 0;\n"
    "    for (uint i = 0; i < accesses; i += 2) {\n"
    "        cells[id] = 2;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        sum += cells[(id + 1) % size];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    words[get_global_id(0)] = sum;\n"
    "}\n"
    "kernel void waits(volatile global uint *words, uint accesses)\n" /* for all groups, of which one has no place */
    "{\n"
    "    if (get_local_id(0) == 0) {\n"
    "        atomic_inc(words);\n"
    "        while (words[0] < get_num_groups(0))\n"
    "            ;\n"
    "    }\n"
    "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "}\n";

static const struct opencl *cl;

static void check(cl_int code, const char *what)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "bench_accesses: %s: %d\n", what, (int)code);
    exit(1);
}

static const struct opencl *find_opencl(const char *name)
{
    struct model_device device;
    struct error error;
    const struct opencl *found = NULL;

    if (strcmp(name, "loader") == 0)
        found = opencl_of_loader(&error);
    else if (model_device_parse(name, &device, &error) == 0)
        found = opencl_of_model(&device, NULL, &error);
    if (found == NULL) {
        fprintf(stderr, "bench_accesses: %s\n", error.text);
        exit(1);
    }
    return found;
}

/* In bytes, of those that /proc/self/status tells in KiB. */
static size_t memory(const char *what)
{
    FILE *status = fopen("/proc/self/status", "re");
    char line[256];
    size_t kibibytes = 0;

    while (status != NULL && fgets(line, sizeof line, status) != NULL)
        if (strncmp(line, what, strlen(what)) == 0)
            kibibytes = strtoul(line + strlen(what), NULL, 10);
    if (status != NULL)
        fclose(status);
    return kibibytes << 10;
}

/* Of processors, in all threads: other work on the machine does not count. */
static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* How long it took; *stood: that it stands still was proved. */
static double launch(cl_command_queue queue, cl_kernel kernel, size_t global, size_t size, bool *stood)
{
    cl_event event;
    cl_int status;
    const double began = seconds();

    check(cl->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &size, 0, NULL, &event), "enqueue");
    cl->clFinish(queue);
    const double took = seconds() - began;
    check(cl->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL), "clGetEventInfo");
    *stood = status == MODEL_STOOD;
    check(*stood ? CL_SUCCESS : status, "the kernel");
    cl->clReleaseEvent(event);
    return took;
}

static void check_words(cl_command_queue queue, cl_mem words, size_t count, cl_uint expected)
{
    cl_uint *values = calloc(count, sizeof *values);

    if (values == NULL)
        exit(1);
    check(cl->clEnqueueReadBuffer(queue, words, CL_TRUE, 0, count * sizeof *values, values, 0, NULL, NULL), "read");
    for (size_t i = 0; i < count; ++i)
        if (values[i] != expected) {
            fprintf(stderr, "bench_accesses: word %zu is %u, not %u\n", i, values[i], expected);
            exit(1);
        }
    free(values);
}

static cl_kernel build(cl_context context, cl_device_id device, const char *name)
{
    const char *text = source;
    cl_int code;
    cl_program program = cl->clCreateProgramWithSource(context, 1, &text, NULL, &code);

    check(code, "clCreateProgramWithSource");
    check(cl->clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    cl_kernel kernel = cl->clCreateKernel(program, name, &code);
    check(code, "clCreateKernel");
    return kernel;
}

int main(int count, char **arguments)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    bool stood = false;
    double shortest = 0;

    if (count != 7) {
        fputs("usage: bench_accesses DEVICE KERNEL GROUPS SIZE ACCESSES LAUNCHES\n", stderr);
        return 2;
    }
    const size_t size = strtoul(arguments[4], NULL, 10), global = size * strtoul(arguments[3], NULL, 10);
    const cl_uint accesses = (cl_uint)strtoul(arguments[5], NULL, 10), zero = 0;
    const int launches = atoi(arguments[6]);
    cl = find_opencl(arguments[1]);
    check(cl->clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = cl->clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    cl_command_queue queue = cl->clCreateCommandQueue(context, device, 0, &code);
    check(code, "clCreateCommandQueue");
    cl_kernel kernel = build(context, device, arguments[2]);
    cl_mem words = cl->clCreateBuffer(context, CL_MEM_READ_WRITE, global * sizeof(cl_uint), NULL, &code);
    check(code, "clCreateBuffer");
    check(cl->clSetKernelArg(kernel, 0, sizeof words, &words), "clSetKernelArg");
    check(cl->clSetKernelArg(kernel, 1, sizeof accesses, &accesses), "clSetKernelArg");
    const size_t reserved = memory("VmSize:"), resident = memory("VmRSS:");
    size_t most_reserved = reserved, most_resident = resident;
    for (int i = 0; i < launches; ++i) {
        check(cl->clEnqueueFillBuffer(queue, words, &zero, sizeof zero, 0, global * sizeof zero, 0, NULL, NULL),
              "fill");
        check(cl->clFinish(queue), "clFinish");
        const double took = launch(queue, kernel, global, size, &stood);
        shortest = i == 0 || took < shortest ? took : shortest;
        if (!stood)
            check_words(queue, words, global, accesses);
        if (i > 0)
            continue;
        most_reserved = memory("VmPeak:");
        most_resident = memory("VmHWM:");
    }
    printf("%.0f %zu %zu %s\n", shortest * 1e9, most_reserved - reserved, most_resident - resident,
           stood ? "stood" : "ended");
    return 0;
}
