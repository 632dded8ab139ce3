/*
 * What tests/bench/emitted.py times: kernels of emitted.cl, which #include gridlock.clh.
 *
 *     gcc -O2 -I EMITTED emitted.c -lOpenCL -o emitted && ./emitted FOLDER OPTIONS KERNEL ROUNDS SIZE:GROUPS...
 *
 * FOLDER has emitted.cl, EMITTED is what gridlock emit writes; the build options have -I for it. On the first device.
 * GROUPS is a number, `units` for one group a compute unit, or `most` for as many as gl_resident counts. Prints a line
 * for each shape: SIZE:GROUPS, and the shortest of five launches in nanoseconds a round, a step, a hand-over or, for
 * the scan, a launch; and, what it read or computed being checked, how much of it was checked and how much was wrong.
 */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "gridlock_launch.h"

#include <time.h>

enum { LAUNCHES = 6, PER_ITEM = 16 };

struct bench {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    const char *name;
    cl_kernel kernel;
    cl_uint rounds;
};

static void check(cl_int error, const char *what)
{
    if (error == CL_SUCCESS)
        return;
    fprintf(stderr, "emitted: %s: %d\n", what, (int)error);
    exit(1);
}

static void open_device(struct bench *bench)
{
    cl_platform_id platforms[16];
    cl_uint count = 0;
    cl_int error = CL_DEVICE_NOT_FOUND;

    check(clGetPlatformIDs(16, platforms, &count), "platforms");
    for (cl_uint i = 0; i < count && i < 16 && error != CL_SUCCESS; ++i)
        error = clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &bench->device, NULL);
    check(error, "a device");
    bench->context = clCreateContext(NULL, 1, &bench->device, NULL, NULL, &error);
    check(error, "a context");
    bench->queue = clCreateCommandQueue(bench->context, bench->device, CL_QUEUE_PROFILING_ENABLE, &error);
    check(error, "a queue");
}

static void build(struct bench *bench, const char *folder, const char *options)
{
    static char log[1 << 14];
    const char *const source = "#include \"emitted.cl\"\n";
    char all[1024];
    cl_int error;

    snprintf(all, sizeof all, "%s -I %s", options, folder);
    bench->program = clCreateProgramWithSource(bench->context, 1, (const char **)&source, NULL, &error);
    check(error, "a program");
    error = clBuildProgram(bench->program, 1, &bench->device, all, NULL, NULL);
    clGetProgramBuildInfo(bench->program, bench->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    if (error != CL_SUCCESS || strstr(log, "arning") != NULL)
        fprintf(stderr, "%s\n", log);
    check(error, "the build");
    bench->kernel = clCreateKernel(bench->program, bench->name, &error);
    check(error, bench->name);
}

static cl_mem buffer(const struct bench *bench, size_t words, const cl_uint *content)
{
    cl_uint *const zeros = content == NULL ? (cl_uint *)calloc(words, sizeof *zeros) : NULL;
    cl_int error;
    const cl_mem made = clCreateBuffer(bench->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                       words * sizeof(cl_uint), (void *)(content == NULL ? zeros : content), &error);

    check(error, "a buffer");
    free(zeros);
    return made;
}

static cl_uint read_word(const struct bench *bench, cl_mem from, size_t word)
{
    cl_uint value = 0;

    check(clEnqueueReadBuffer(bench->queue, from, CL_TRUE, word * sizeof value, sizeof value, &value, 0, NULL, NULL),
          "reading");
    return value;
}

/* Nanoseconds of a launch, which has ended as it should. */
static double launch(const struct bench *bench, size_t size, size_t groups, cl_uint rounds, cl_uint checks,
                     const cl_mem buffers[2])
{
    const size_t global = size * groups;
    cl_uint *const words = (cl_uint *)calloc(GRIDLOCK_WORDS(groups), sizeof *words);
    cl_ulong began = 0, ended = 0;
    cl_event event;

    words[GRIDLOCK_FUSE] = 1 << 24;
    const cl_mem grid = buffer(bench, GRIDLOCK_WORDS(groups), words);
    free(words);
    check(clSetKernelArg(bench->kernel, 0, sizeof grid, &grid), "an argument");
    check(clSetKernelArg(bench->kernel, 1, sizeof rounds, &rounds), "an argument");
    check(clSetKernelArg(bench->kernel, 2, sizeof checks, &checks), "an argument");
    check(clSetKernelArg(bench->kernel, 3, sizeof(cl_mem), &buffers[0]), "an argument");
    check(clSetKernelArg(bench->kernel, 4, sizeof(cl_mem), &buffers[1]), "an argument");
    check(clEnqueueNDRangeKernel(bench->queue, bench->kernel, 1, NULL, &global, &size, 0, NULL, &event), "launch");
    check(clFinish(bench->queue), "the end");
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof began, &began, NULL);
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof ended, &ended, NULL);
    clReleaseEvent(event);
    if (read_word(bench, grid, GRIDLOCK_STOP) != 0) {
        fprintf(stderr, "emitted: %s gave up with %zu groups of %zu\n", bench->name, groups, size);
        exit(1);
    }
    clReleaseMemObject(grid);
    return (double)(ended - began);
}

static double now(void)
{
    struct timespec time;

    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* So many launches in a row, by the host's clock. */
static double launch_steps(const struct bench *bench, size_t size, size_t groups, cl_mem none)
{
    const size_t global = size * groups;

    check(clSetKernelArg(bench->kernel, 0, sizeof none, &none), "an argument");
    const double began = now();

    for (cl_uint i = 0; i < bench->rounds; ++i)
        check(clEnqueueNDRangeKernel(bench->queue, bench->kernel, 1, NULL, &global, &size, 0, NULL, NULL), "launch");
    check(clFinish(bench->queue), "the end");
    return now() - began;
}

static double time_rounds(struct bench *bench, size_t size, size_t groups, unsigned long long found[2])
{
    const cl_mem buffers[2] = {buffer(bench, 2 * size * groups, NULL), buffer(bench, 1, NULL)};
    const int steps = strcmp(bench->name, "one_step") == 0;
    double least = 0;

    for (int i = 0; i < LAUNCHES; ++i) { /* the first one loads the code */
        const double time = steps && i > 0 ? launch_steps(bench, size, groups, buffers[1])
                                           : launch(bench, size, groups, bench->rounds, 0, buffers);
        least = i <= 1 || time < least ? time : least;
    }
    if (!steps) {
        launch(bench, size, groups, bench->rounds, 1, buffers);
        found[0] = (unsigned long long)bench->rounds * size * groups;
        found[1] = read_word(bench, buffers[1], 0);
    }
    clReleaseMemObject(buffers[0]);
    clReleaseMemObject(buffers[1]);
    return least / bench->rounds;
}

static double time_locks(struct bench *bench, size_t size, size_t groups, unsigned long long found[2])
{
    double least = 0;

    for (int i = 0; i < LAUNCHES; ++i) {
        const cl_mem cells = buffer(bench, (groups + 2) * GRIDLOCK_LINE, NULL);
        const cl_mem buffers[2] = {cells, cells};
        const double time = launch(bench, size, groups, bench->rounds, 0, buffers);
        least = i <= 1 || time < least ? time : least;
        found[0] += bench->rounds * groups;
        found[1] += read_word(bench, cells, 0) != bench->rounds * groups;
        clReleaseMemObject(cells);
    }
    return least / ((double)bench->rounds * (double)groups);
}

static double time_scan(struct bench *bench, size_t size, size_t groups, unsigned long long found[2])
{
    const size_t count = size * groups * PER_ITEM;
    cl_uint *const values = (cl_uint *)malloc(2 * count * sizeof *values), sum = 0;
    double least = 0;

    for (size_t i = 0; i < 2 * count; ++i)
        values[i] = (cl_uint)i * 2654435761u;
    const cl_mem cells = buffer(bench, 2 * count, values);
    for (int i = 0; i < LAUNCHES; ++i) {
        const cl_mem tiles = buffer(bench, (groups + 1) * 8, NULL);
        const cl_mem buffers[2] = {cells, tiles};
        const double time = launch(bench, size, groups, 1, 0, buffers);
        least = i <= 1 || time < least ? time : least;
        clReleaseMemObject(tiles);
    }
    check(clEnqueueReadBuffer(bench->queue, cells, CL_TRUE, 0, 2 * count * sizeof *values, values, 0, NULL, NULL), "");
    for (size_t i = 0; i < count; ++i)
        found[1] += values[count + i] != (sum += values[i]);
    found[0] = count;
    free(values);
    clReleaseMemObject(cells);
    return least;
}

/* As many groups as fit. */
static cl_uint count_most(const struct bench *bench, size_t size)
{
    const cl_mem none = buffer(bench, 1, NULL);
    cl_uint groups = 0;

    for (cl_uint argument = 1; argument < 5; ++argument)
        check(clSetKernelArg(bench->kernel, argument, argument < 3 ? sizeof groups : sizeof none,
                             argument < 3 ? (const void *)&groups : (const void *)&none),
              "an argument");
    check(gl_resident(bench->queue, bench->kernel, 1, &size, &groups), "gl_resident");
    clReleaseMemObject(none);
    return groups;
}

int main(int count, char **arguments)
{
    struct bench bench = {0};
    cl_uint units = 1;

    if (count < 6 || atoi(arguments[4]) < 1) {
        fputs("usage: emitted FOLDER OPTIONS KERNEL ROUNDS SIZE:GROUPS...\n", stderr);
        return 2;
    }
    bench.name = arguments[3];
    bench.rounds = (cl_uint)atoi(arguments[4]);
    open_device(&bench);
    build(&bench, arguments[1], arguments[2]);
    check(clGetDeviceInfo(bench.device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL), "compute units");
    for (int i = 5; i < count; ++i) {
        const char *const colon = strchr(arguments[i], ':');
        const size_t size = strtoul(arguments[i], NULL, 10);
        unsigned long long found[2] = {0, 0};
        cl_uint groups = colon == NULL ? 0 : (cl_uint)strtoul(colon + 1, NULL, 10);
        if (colon != NULL && strcmp(colon + 1, "units") == 0)
            groups = units;
        else if (colon != NULL && strcmp(colon + 1, "most") == 0)
            groups = count_most(&bench, size);
        if (size == 0 || groups == 0) {
            fprintf(stderr, "emitted: %s is not SIZE:GROUPS\n", arguments[i]);
            return 2;
        }
        const double time = strcmp(bench.name, "scan") == 0 ? time_scan(&bench, size, groups, found)
                            : strcmp(bench.name, "tickets") == 0 || strcmp(bench.name, "queued") == 0
                                ? time_locks(&bench, size, groups, found)
                                : time_rounds(&bench, size, groups, found);
        printf("%zu:%u %.1f %llu %llu\n", size, groups, time, found[0], found[1]);
        fflush(stdout);
    }
    return 0;
}
