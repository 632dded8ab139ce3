/*
 * What OpenCL calls cost the thread that makes them: processor time, of a launch (with its share of a clFinish for
 * each BATCH of them), of clSetKernelArg, which the door of `gridlock watch` notes, and of clGetKernelInfo, which it
 * does not; and how much memory the program has come to take. `watch DRIVER LAUNCHES` prints them as JSON.
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH = 100, WARM_UP = 1000 };

static const char *const source = "kernel void nothing(int n) { }\n";
static cl_device_id device;
static cl_command_queue queue;
static cl_kernel kernel;

static void check(cl_int status, const char *what)
{
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "%s: %d\n", what, status);
    exit(1);
}

static double now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void begin(const char *driver)
{
    cl_platform_id platforms[16];
    cl_uint count = 0;
    char name[256];
    cl_int status;
    const int number = 1;

    check(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
    for (cl_uint i = 0; i < count && device == NULL; ++i)
        if (clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL) == CL_SUCCESS &&
            strstr(name, driver) != NULL)
            clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    if (device == NULL)
        exit(77);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    cl_program program = clCreateProgramWithSource(context, 1, (const char **)&source, NULL, &status);
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    kernel = clCreateKernel(program, "nothing", &status);
    check(status, "clCreateKernel");
    check(clSetKernelArg(kernel, 0, sizeof number, &number), "clSetKernelArg");
}

/* Of a launch. */
static double launch(long count)
{
    const size_t one = 1;
    const double begun = now_ns();

    for (long i = 1; i <= count; ++i) {
        check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL), "clEnqueueNDRangeKernel");
        if (i % BATCH == 0)
            check(clFinish(queue), "clFinish");
    }
    check(clFinish(queue), "clFinish");
    return (now_ns() - begun) / (double)count;
}

static double set_arguments(long count)
{
    const double begun = now_ns();

    for (int i = 0; i < count; ++i)
        check(clSetKernelArg(kernel, 0, sizeof i, &i), "clSetKernelArg");
    return (now_ns() - begun) / (double)count;
}

static double ask(long count)
{
    cl_uint arguments;
    const double begun = now_ns();

    for (long i = 0; i < count; ++i)
        check(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, NULL), "clGetKernelInfo");
    return (now_ns() - begun) / (double)count;
}

static long memory_kib(void)
{
    char line[128];
    long found = 0;
    FILE *status = fopen("/proc/self/status", "r");

    while (status != NULL && fgets(line, sizeof line, status) != NULL)
        if (strncmp(line, "VmRSS:", 6) == 0)
            found = strtol(line + 6, NULL, 10);
    if (status != NULL)
        fclose(status);
    return found;
}

int main(int count, char **words)
{
    const long launches = count > 2 ? strtol(words[2], NULL, 10) : 20000;

    begin(count > 1 ? words[1] : "");
    launch(WARM_UP);
    const long before = memory_kib();
    const double launch_ns = launch(launches);
    const long after = memory_kib();
    printf("{\"launch_ns\": %.1f, \"argument_ns\": %.1f, \"info_ns\": %.1f, \"memory_kib\": %ld, \"grown_kib\": %ld}\n",
           launch_ns, set_arguments(10 * launches), ask(10 * launches), after, after - before);
    return 0;
}
