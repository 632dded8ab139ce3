/*
 * Launches barriers, a lock and a count of gridlock.clh so many times: no group may give up, and none read old data.
 *
 *     gcc -O2 -I EMITTED emitted.c -lOpenCL -o emitted && ./emitted OPTIONS LAUNCHES [SIZE [GROUPS [FUSE]]]
 *
 * EMITTED is what gridlock emit writes, and the build options have -I for it. On the first device of the loader, with
 * as many groups as fit unless GROUPS, not 0, says otherwise; a wait gives up after FUSE times 64 polls, which on a
 * busy processor is no stall if it is too short. Each launch passes 4 barriers, reads after each what another group
 * wrote before it, and adds 1 under a ticket lock. Prints how many groups did not come to the lock, how many reads
 * were old, and how many additions were lost; exit status 1 if any. With -DSEEDED=N in the options the kernel is
 * wrong, and that must be found: 1, nobody waits at barriers; 2, the lock does not exclude; 3, one group leaves the
 * seventh launch.
 */
#include "gridlock_launch.h"

enum { COUNT = 3 * GRIDLOCK_LINE, CELLS = 4 * GRIDLOCK_LINE, BATCH = 1000 };

static const char source[] =
    "#include \"gridlock.clh\"\n"
    "#if !defined(SEEDED)\n"
    "#define SEEDED 0\n"
    "#endif\n"
    "kernel void soak(global uint *gl_words, uint launch, uint cells, global uint *data)\n"
    "{\n"
    "    GL_BEGIN(grid, gl_words);\n"
    "    const uint size = get_local_size(0), items = get_global_size(0), item = get_global_id(0);\n"
    "    uint stale = 0, count = 0;\n"
    "    if (SEEDED == 3 && launch == 7 && grid.group == 0)\n"
    "        return;\n"
    "    for (uint round = 0; round < 4; ++round) {\n"
    "        data[cells + round % 2 * items + item] = launch * 4 + round;\n"
    "        if (SEEDED != 1 && !gl_barrier(&grid))\n"
    "            return;\n"
    "        const uint other = (grid.group + launch + round + 1) % grid.groups * size + get_local_id(0);\n"
    "        stale += data[cells + round % 2 * items + other] != launch * 4 + round;\n"
    "    }\n"
    "    if (grid.leads)\n"
    "        gl_add(data + 98, 1);\n"
    "    if (SEEDED != 2 && !gl_lock_ticket(&grid, data))\n"
    "        return;\n"
    "    if (grid.leads)\n"
    "        count = data[96] + 1;\n"
    "    if (SEEDED == 2 && !gl_barrier(&grid))\n"
    "        return;\n"
    "    if (grid.leads)\n"
    "        data[96] = count;\n"
    "    if (SEEDED != 2)\n"
    "        gl_unlock_ticket(&grid, data);\n"
    "    if (stale)\n"
    "        gl_add(data + 97, stale);\n"
    "}\n";

static void check(cl_int error, const char *what)
{
    if (error == CL_SUCCESS)
        return;
    fprintf(stderr, "emitted: %s: %d\n", what, (int)error);
    exit(3);
}

struct soak {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_kernel kernel;
};

static void open_device(struct soak *soak, const char *options)
{
    const char *text = source;
    cl_platform_id platforms[16];
    cl_uint found = 0;
    cl_int error = CL_DEVICE_NOT_FOUND;

    check(clGetPlatformIDs(16, platforms, &found), "platforms");
    for (cl_uint i = 0; i < found && i < 16 && error != CL_SUCCESS; ++i)
        error = clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &soak->device, NULL);
    check(error, "a device");
    soak->context = clCreateContext(NULL, 1, &soak->device, NULL, NULL, &error);
    check(error, "a context");
    soak->queue = clCreateCommandQueue(soak->context, soak->device, 0, &error);
    check(error, "a queue");
    const cl_program program = clCreateProgramWithSource(soak->context, 1, &text, NULL, &error);
    check(error, "a program");
    check(clBuildProgram(program, 1, &soak->device, options, NULL, NULL), "the build");
    soak->kernel = clCreateKernel(program, "soak", &error);
    check(error, "the kernel");
}

static cl_mem buffer(const struct soak *soak, size_t words)
{
    const cl_uint zero = 0;
    cl_int error;
    const cl_mem made = clCreateBuffer(soak->context, CL_MEM_READ_WRITE, words * sizeof zero, NULL, &error);

    check(error, "a buffer");
    check(clEnqueueFillBuffer(soak->queue, made, &zero, sizeof zero, 0, words * sizeof zero, 0, NULL, NULL), "zeros");
    return made;
}

static void set_number(const struct soak *soak, cl_uint place, cl_uint number)
{
    check(clSetKernelArg(soak->kernel, place, sizeof number, &number), "an argument");
}

/* The words are zero when a launch begins, but for the fuse; launches of a queue run one after another. */
static void launch_all(const struct soak *soak, size_t size, cl_uint groups, cl_uint launches, cl_uint fuse,
                       cl_mem words)
{
    const size_t bytes = GRIDLOCK_WORDS(groups) * sizeof(cl_uint), global = size * groups;
    const cl_uint zero = 0;

    for (cl_uint launch = 1; launch <= launches; ++launch) {
        set_number(soak, 1, launch);
        check(clEnqueueFillBuffer(soak->queue, words, &zero, sizeof zero, 0, bytes, 0, NULL, NULL), "zeros");
        check(clEnqueueFillBuffer(soak->queue, words, &fuse, sizeof fuse, GRIDLOCK_FUSE * sizeof fuse, sizeof fuse, 0,
                                  NULL, NULL),
              "the fuse");
        check(clEnqueueNDRangeKernel(soak->queue, soak->kernel, 1, NULL, &global, &size, 0, NULL, NULL), "a launch");
        if (launch % BATCH == 0)
            check(clFinish(soak->queue), "the end");
    }
}

int main(int count, char **arguments)
{
    const cl_uint launches = count > 2 ? (cl_uint)strtoul(arguments[2], NULL, 10) : 0;
    const size_t size = count > 3 ? strtoul(arguments[3], NULL, 10) : 64;
    cl_uint groups = count > 4 ? (cl_uint)strtoul(arguments[4], NULL, 10) : 0;
    const cl_uint fuse = count > 5 ? (cl_uint)strtoul(arguments[5], NULL, 10) : 1u << 28;
    cl_uint seen[3]; /* additions, old reads, groups that came to the lock */
    struct soak soak;

    if (launches == 0 || size == 0) {
        fputs("usage: emitted OPTIONS LAUNCHES [SIZE [GROUPS [FUSE]]]\n", stderr);
        return 2;
    }
    open_device(&soak, arguments[1]);
    set_number(&soak, 1, 0);
    set_number(&soak, 2, CELLS);
    const cl_mem none = buffer(&soak, 1);
    check(clSetKernelArg(soak.kernel, 3, sizeof none, &none), "an argument");
    if (groups == 0)
        check(gl_resident(soak.queue, soak.kernel, 1, &size, &groups), "gl_resident");
    const cl_mem words = buffer(&soak, GRIDLOCK_WORDS(groups)), data = buffer(&soak, CELLS + 2 * size * groups);
    check(clSetKernelArg(soak.kernel, 0, sizeof words, &words), "an argument");
    check(clSetKernelArg(soak.kernel, 3, sizeof data, &data), "an argument");
    launch_all(&soak, size, groups, launches, fuse, words);
    check(clEnqueueReadBuffer(soak.queue, data, CL_TRUE, COUNT * sizeof *seen, sizeof seen, seen, 0, NULL, NULL), "");
    const cl_uint missing = launches * groups - seen[2], lost = seen[2] - seen[0];
    printf("%u launches of %u groups of %zu: %u groups did not come to the lock, %u reads were old, %u additions were "
           "lost\n",
           launches, groups, size, missing, seen[1], lost);
    return missing != 0 || seen[1] != 0 || lost != 0;
}
