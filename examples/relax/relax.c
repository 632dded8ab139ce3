/*
 * Relaxes a rod in one launch instead of one a step: gcc -std=c99 relax.c -lOpenCL && ./a.out [GROUPS [phases|force]]
 *
 * Without GROUPS it takes as many as fit on the device at once. With more it is refused; "phases" then makes a launch
 * of each step, and "force" launches all the same, to show what is said of a barrier that nobody can pass.
 */
#include "gridlock_launch.h"

enum { CELLS = 4096, STEPS = 1000, ITEMS = 64 };

static void check(cl_int error, const char *what)
{
    if (error == CL_SUCCESS)
        return;
    fprintf(stderr, "relax: %s: OpenCL's error %d\n", what, (int)error);
    exit(3);
}

static cl_device_id first_device(void)
{
    cl_platform_id platforms[16];
    cl_device_id device;
    cl_uint count = 0, i;

    check(clGetPlatformIDs(16, platforms, &count), "looking for platforms");
    for (i = 0; i < count && i < 16; ++i)
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS)
            return device;
    check(CL_DEVICE_NOT_FOUND, "looking for a device");
    return NULL;
}

static cl_kernel build(cl_context context, cl_device_id device)
{
    static char text[1 << 16], log[1 << 14];
    const char *source = text;
    FILE *const file = fopen("relax.cl", "r");
    cl_program program;
    cl_kernel kernel;
    cl_int error;

    if (file == NULL || fread(text, 1, sizeof text - 1, file) == 0) {
        fprintf(stderr, "relax: relax.cl cannot be read here\n");
        exit(3);
    }
    fclose(file);
    program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
    check(error, "making the program");
    if (clBuildProgram(program, 1, &device, "-I .", NULL, NULL) != CL_SUCCESS) {
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        fprintf(stderr, "%s\n", log);
        exit(3);
    }
    kernel = clCreateKernel(program, "relax", &error);
    check(error, "making the kernel");
    clReleaseProgram(program);
    return kernel;
}

/* Whether the device has what the same steps come to here; some devices take very small numbers for 0. */
static int is_right(cl_command_queue queue, cl_mem buffer)
{
    static float rod[2][CELLS], got[CELLS];
    int step, i;

    rod[0][0] = rod[1][0] = 1;
    for (step = 0; step < STEPS; ++step)
        for (i = 1; i + 1 < CELLS; ++i)
            rod[(step + 1) % 2][i] = 0.5f * (rod[step % 2][i - 1] + rod[step % 2][i + 1]);
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL), "reading the result");
    for (i = 0; i < CELLS; ++i)
        if (got[i] - rod[STEPS % 2][i] > 1e-6f || rod[STEPS % 2][i] - got[i] > 1e-6f)
            return 0;
    return 1;
}

int main(int count, char **arguments)
{
    static float rod[CELLS] = {1};
    const size_t local = ITEMS;
    const cl_uint cells = CELLS, steps = STEPS, zero = 0;
    const cl_device_id device = first_device();
    cl_int error, i;
    gl_options options = {0, 0, NULL, 0, NULL};
    gl_report report;
    cl_mem buffers[2];
    size_t global;

    const cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check(error, "making a context");
    const cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
    check(error, "making a queue");
    const cl_kernel kernel = build(context, device);
    for (i = 0; i < 2; ++i) {
        buffers[i] = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof rod, rod, &error);
        check(error, "making a buffer");
        check(clSetKernelArg(kernel, 3 + (cl_uint)i, sizeof(cl_mem), &buffers[i]), "setting an argument");
    }
    check(clSetKernelArg(kernel, 1, sizeof zero, &zero), "setting the first step");
    check(clSetKernelArg(kernel, 2, sizeof steps, &steps), "setting the end of steps");
    check(clSetKernelArg(kernel, 5, sizeof cells, &cells), "setting the number of cells");

    check(gl_resident(queue, kernel, 1, &local, &options.resident), "counting groups");
    printf("%u groups of %d work-items fit at once\n", (unsigned)options.resident, ITEMS);
    global = ITEMS * (count > 1 ? (size_t)strtoul(arguments[1], NULL, 10) : options.resident);
    if (count > 2 && strcmp(arguments[2], "phases") == 0)
        options.phases = STEPS;
    if (count > 2 && strcmp(arguments[2], "force") == 0) {
        options.resident = (cl_uint)(global / ITEMS);
        options.fuse = 1 << 25;
    }
    if (gl_launch_cooperative(queue, kernel, 1, &global, &local, &options, &report) != GRIDLOCK_OK) {
        fprintf(stderr, "relax: %s\n", report.text);
        return 1;
    }
    printf("%u groups, %d steps: %s\n", (unsigned)report.groups, STEPS,
           is_right(queue, buffers[STEPS % 2]) ? "right" : "WRONG");
    return 0;
}
