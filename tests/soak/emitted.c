/*
 * Launches barriers, a lock and a count of gridlock.clh so many times: no group may give up, and none read old data.
 *
 *     gcc -O2 -I EMITTED emitted.c -lOpenCL -o emitted && ./emitted OPTIONS LAUNCHES [SIZE [GROUPS [FUSE]]]
 *
 * EMITTED is what gridlock emit writes, and the build options have -I for it. On the first device of the loader, with
 * as many groups as fit unless GROUPS, not 0, says otherwise; a wait gives up after FUSE times 64 polls, which on a
 * busy processor is no stall if it is too short. Each launch passes 4 barriers, reads after each what another group
 * wrote before it, and adds 1 under a ticket lock; then it uses each of the others once: the queue lock, a flag of the
 * next group, once, a queue in which each value leaves another, and scans that wait and that do not. Prints how many
 * groups did not come to the lock or to the end, how many reads were old, how many additions were lost, and how many
 * of the others' results were wrong; exit status 1 if any. With -DSEEDED=N in the options the kernel is wrong, and that
 * must be found: 1, nobody waits at barriers; 2, the lock does not exclude; 3, one group leaves the seventh launch; 4,
 * a flag is set before what it announces; 5, a value of the queue is not worked at.
 */
#include "gridlock_launch.h"

/* Words of data; those from ZEROED on are zero when a launch begins. */
enum { COUNT = 3 * GRIDLOCK_LINE, FLAGS = 4 * GRIDLOCK_LINE, BATCH = 1000 };
#define ZEROED(groups) (FLAGS + 3 * (groups) + ((groups) + 1) * GRIDLOCK_LINE)
#define QUEUE_WORDS(groups) GRIDLOCK_QUEUE_WORDS(3 * (groups))
#define SCAN_WORDS(groups) (((groups) + 1) * 8)
#define CELLS(groups) (ZEROED(groups) + GRIDLOCK_LINE + QUEUE_WORDS(groups) + 2 * SCAN_WORDS(groups))

static const char source[] =
    "#include \"gridlock.clh\"\n"
    "#if !defined(SEEDED)\n"
    "#define SEEDED 0\n"
    "#endif\n"
    "kernel void soak(global uint *gl_words, uint launch, uint zeroed, uint cells, global uint *data)\n"
    "{\n"
    "    GL_BEGIN(grid, gl_words);\n"
    "    const uint size = get_local_size(0), items = get_global_size(0), item = get_global_id(0);\n"
    "    const uint groups = grid.groups, group = grid.group, next = (group + 1) % groups;\n"
    "    uint stale = 0, wrong = 0, count = 0;\n"
    "    if (SEEDED == 3 && launch == 7 && group == 0)\n"
    "        return;\n"
    "    for (uint round = 0; round < 4; ++round) {\n"
    "        data[cells + round % 2 * items + item] = launch * 4 + round;\n"
    "        if (SEEDED != 1 && !gl_barrier(&grid))\n"
    "            return;\n"
    "        const uint other = (group + launch + round + 1) % groups * size + get_local_id(0);\n"
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

    "    global uint *const flags = data + 128, *const told = flags + groups, *const queued = flags + 3 * groups;\n"
    "    if (!gl_lock_mcs(&grid, queued))\n"
    "        return;\n"
    "    if (grid.leads)\n"
    "        data[100] += 1;\n"
    "    if (!gl_unlock_mcs(&grid, queued))\n"
    "        return;\n"

    "    if (grid.leads && SEEDED != 4)\n"
    "        told[group] = launch;\n"
    "    gl_signal(&grid, flags + group, launch);\n"
    "    if (!gl_await(&grid, flags + next, launch, next))\n"
    "        return;\n"
    "    wrong += told[next] != launch;\n"

    "    global uint *const once = data + zeroed, *const queue = once + 32;\n"
    "    const uint turn = gl_once(&grid, once);\n"
    "    if (turn == 0)\n"
    "        return;\n"
    "    if (turn == GL_ONCE_DO && grid.leads)\n"
    "        once[1] = launch;\n"
    "    gl_once_done(&grid, once);\n"
    "    wrong += once[1] != launch;\n"

    "    const uint capacity = 3 * groups;\n"
    "    if (!gl_push(&grid, queue, capacity, group) || !gl_barrier(&grid))\n"
    "        return;\n"
    "    uint value, taken;\n"
    "    while ((taken = gl_take(&grid, queue, &value)) == GL_TAKEN) {\n"
    "        if (value + groups < capacity && !gl_push(&grid, queue, capacity, value + groups))\n"
    "            return;\n"
    "        if (grid.leads && (SEEDED != 5 || value != groups))\n"
    "            gl_add(once + 2, value + 1);\n"
    "        gl_done(&grid, queue);\n"
    "    }\n"
    "    if (taken != GL_EMPTY)\n"
    "        return;\n"
    "    wrong += gl_read(once + 2) != capacity * (capacity + 1) / 2;\n"

    "    global uint *const sums = queue + GRIDLOCK_QUEUE_WORDS(capacity);\n"
    "    GL_SCAN(scan, grid, sums);\n"
    "    for (uint pass = 0; pass < 2; ++pass, scan.words += GL_SCAN_WORDS(groups)) {\n"
    "        gl_scan_begin(&scan, &grid);\n"
    "        uint end;\n"
    "        while ((end = gl_scan_step(&scan, &grid, launch + scan.asked, pass * 100)) == GL_SCAN_ASKS)\n"
    "            ;\n"
    "        if (!end)\n"
    "            return;\n"
    "        wrong += scan.before != scan.tile * launch + scan.tile * (scan.tile - 1) / 2;\n"
    "    }\n"
    "    if (stale)\n"
    "        gl_add(data + 97, stale);\n"
    "    if (wrong)\n"
    "        gl_add(data + 101, wrong);\n"
    "    if (grid.leads)\n"
    "        gl_add(data + 99, 1);\n"
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
                       cl_mem words, cl_mem data)
{
    const size_t bytes = GRIDLOCK_WORDS(groups) * sizeof(cl_uint), global = size * groups;
    const size_t zeroed = ZEROED(groups) * sizeof(cl_uint), others = CELLS(groups) * sizeof(cl_uint) - zeroed;
    const cl_uint zero = 0;

    for (cl_uint launch = 1; launch <= launches; ++launch) {
        set_number(soak, 1, launch);
        check(clEnqueueFillBuffer(soak->queue, words, &zero, sizeof zero, 0, bytes, 0, NULL, NULL), "zeros");
        check(clEnqueueFillBuffer(soak->queue, data, &zero, sizeof zero, zeroed, others, 0, NULL, NULL), "zeros");
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
    /* additions, old reads, groups that came to the lock, those that came to the end, additions, wrong results */
    cl_uint seen[6];
    struct soak soak;

    if (launches == 0 || size == 0) {
        fputs("usage: emitted OPTIONS LAUNCHES [SIZE [GROUPS [FUSE]]]\n", stderr);
        return 2;
    }
    open_device(&soak, arguments[1]);
    set_number(&soak, 1, 0);
    set_number(&soak, 2, 0);
    set_number(&soak, 3, 0);
    const cl_mem none = buffer(&soak, 1);
    check(clSetKernelArg(soak.kernel, 4, sizeof none, &none), "an argument");
    if (groups == 0)
        check(gl_resident(soak.queue, soak.kernel, 1, &size, &groups), "gl_resident");
    const cl_mem words = buffer(&soak, GRIDLOCK_WORDS(groups)), data = buffer(&soak, CELLS(groups) + 2 * size * groups);
    check(clSetKernelArg(soak.kernel, 0, sizeof words, &words), "an argument");
    set_number(&soak, 2, (cl_uint)ZEROED(groups));
    set_number(&soak, 3, (cl_uint)CELLS(groups));
    check(clSetKernelArg(soak.kernel, 4, sizeof data, &data), "an argument");
    launch_all(&soak, size, groups, launches, fuse, words, data);
    check(clEnqueueReadBuffer(soak.queue, data, CL_TRUE, COUNT * sizeof *seen, sizeof seen, seen, 0, NULL, NULL), "");
    const cl_uint missing = launches * groups - seen[2], left = launches * groups - seen[3];
    const cl_uint lost = 2 * seen[2] - seen[0] - seen[4];
    printf(
        "%u launches of %u groups of %zu: %u groups did not come to the lock and %u to the end, %u reads were old, %u "
        "additions were lost, %u results were wrong\n",
        launches, groups, size, missing, left, seen[1], lost, seen[5]);
    return missing != 0 || left != 0 || seen[1] != 0 || lost != 0 || seen[5] != 0;
}
