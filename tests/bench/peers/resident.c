/*
 * The peer of tests/bench/resident.py: how many groups of kernels gl_resident counts, and how long that takes.
 *
 *     gcc -O2 -I EMITTED resident.c -lOpenCL -o resident && ./resident OPTIONS FILE KERNEL X Y Z [FILE KERNEL...]
 *
 * The kernels begin with GL_BEGIN and have two buffers and a number as their other arguments. On the first device of
 * the loader. Prints a line for each: KERNEL, groups, and milliseconds of the first and of the second count.
 */
#include "gridlock_launch.h"

#include <time.h>

static void check(cl_int error, const char *what)
{
    if (error == CL_SUCCESS)
        return;
    fprintf(stderr, "resident: %s: %d\n", what, (int)error);
    exit(1);
}

static double now(void)
{
    struct timespec time;

    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static cl_kernel build(cl_context context, cl_device_id device, const char *options, char **words)
{
    char source[1200];
    const char *const text = source;
    cl_int error;

    snprintf(source, sizeof source, "#include \"%s\"\n", words[0]);
    const cl_program program = clCreateProgramWithSource(context, 1, (const char **)&text, NULL, &error);
    check(error, words[0]);
    check(clBuildProgram(program, 1, &device, options, NULL, NULL), words[0]);
    const cl_kernel kernel = clCreateKernel(program, words[1], &error);
    check(error, words[1]);
    clReleaseProgram(program);
    return kernel;
}

static void count(cl_command_queue queue, cl_kernel kernel, cl_mem buffer, char **words)
{
    size_t local[3];
    double began[3];
    cl_uint groups[2] = {0, 0};
    const cl_uint steps = 0;

    for (cl_uint i = 0; i < 3; ++i) {
        local[i] = strtoul(words[2 + i], NULL, 10);
        check(clSetKernelArg(kernel, 1 + i, i < 2 ? sizeof buffer : sizeof steps,
                             i < 2 ? (const void *)&buffer : (const void *)&steps),
              "an argument");
    }
    for (int i = 0; i < 2; ++i) {
        began[i] = now();
        check(gl_resident(queue, kernel, 3, local, &groups[i]), "gl_resident");
    }
    began[2] = now();
    printf("%s %u %.2f %.2f\n", words[1], groups[0], began[1] - began[0], began[2] - began[1]);
    if (groups[0] != groups[1])
        fprintf(stderr, "resident: %s: %u groups, and then %u\n", words[1], groups[0], groups[1]);
    fflush(stdout);
}

int main(int words, char **arguments)
{
    cl_platform_id platforms[16];
    cl_device_id device = NULL;
    cl_uint found = 0;
    cl_int error = CL_DEVICE_NOT_FOUND;

    if (words < 7 || words % 5 != 2) {
        fputs("usage: resident OPTIONS FILE KERNEL X Y Z [FILE KERNEL X Y Z...]\n", stderr);
        return 2;
    }
    check(clGetPlatformIDs(16, platforms, &found), "platforms");
    for (cl_uint i = 0; i < found && i < 16 && error != CL_SUCCESS; ++i)
        error = clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    check(error, "a device");
    const cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check(error, "a context");
    const cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
    check(error, "a queue");
    const cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error);
    check(error, "a buffer");
    for (int i = 2; i < words; i += 5) {
        const cl_kernel kernel = build(context, device, arguments[1], arguments + i);
        count(queue, kernel, buffer, arguments + i);
        clReleaseKernel(kernel);
    }
    return 0;
}
