/*
 * An ordinary program that hangs, or is slow, as its first argument names; for test_watch.py. It says "ready"
 * once all is on its way. A second argument are build options; WATCHED_SOURCE is a text to build instead.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *source =
    "kernel void barrier_of_all(volatile global int *n) {\n"
    "    const size_t groups = get_num_groups(0) * get_num_groups(1) * get_num_groups(2);\n"
    "    if (get_local_id(0) + get_local_id(1) + get_local_id(2) == 0) {\n"
    "        atomic_inc(n);\n"
    "        while (atomic_add(n, 0) < groups);\n"
    "    }\n"
    "}\n"
    "kernel void lock(volatile global int *n) {\n"
    "    while (atomic_cmpxchg(n, 0, 1) != 0);\n"
    "    n[1] = n[1] + 1;\n"
    "}\n"
    "kernel void lock_of_items(volatile global int *n) {\n"
    "    while (atomic_cmpxchg(n + get_global_id(0) % 8, 0, 1) != 0);\n"
    "    n[32 + get_global_id(0) % 8] += 1;\n"
    "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "    atomic_xchg(n + get_global_id(0) % 8, 0);\n"
    "}\n"
    "kernel void flag(volatile global int *n) { while (n[0] == 0); }\n"
    "kernel void circle(volatile global int *n) {\n"
    "    int me = get_group_id(0);\n"
    "    while (n[16 * ((me + 1) % get_num_groups(0))] == 0);\n"
    "    n[16 * me] = 1;\n"
    "}\n"
    "kernel void livelock(volatile global int *n) {\n"
    "    for (;;) {\n"
    "        if (atomic_xchg(n + 16, 1) == 0) { if (n[0] == 2) break; atomic_xchg(n + 16, 0); }\n"
    "        atomic_inc(n + 32);\n"
    "        atomic_dec(n + 32);\n"
    "    }\n"
    "}\n"
    "kernel void slow(volatile global int *n) {\n"
    "    ulong x = get_global_id(0) + 1;\n"
    "    for (ulong i = 0; i < 1000000000000000UL; ++i) x = x * 6364136223846793005UL + i;\n"
    "    n[0] = (int)x;\n"
    "}\n"
    "kernel void slow_in_memory(volatile global int *n) {\n"
    "    for (ulong i = 0; i < 1000000000000000UL; ++i) n[i % 1024] = n[(i + 1) % 1024] ^ (int)i;\n"
    "}\n"
    "kernel void quick(volatile global int *n) { n[0] = 1; }\n";

static cl_device_id device;
static cl_context context;
static cl_program program;
static cl_mem memory;
static cl_event event;
static int *flag;

static void check(cl_int result, const char *what)
{
    if (result != CL_SUCCESS) {
        printf("%s: %d\n", what, (int)result);
        exit(2);
    }
}

static void open_device(const char *options)
{
    cl_platform_id platforms[16];
    cl_uint count;
    cl_int result;

    check(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
    for (cl_uint i = 0; i < count && i < 16; ++i) {
        char name[128] = "";
        clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
        if (strstr(name, getenv("WATCHED_PLATFORM") ? getenv("WATCHED_PLATFORM") : "Portable") != NULL)
            check(clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    }
    if (getenv("WATCHED_SOURCE") != NULL)
        source = getenv("WATCHED_SOURCE");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &result);
    check(result, "clCreateContext");
    program = clCreateProgramWithSource(context, 1, &source, NULL, &result);
    check(clBuildProgram(program, 1, &device, options, NULL, NULL), "clBuildProgram");
}

/* The same from its binary, as programs have them that keep what they have built. */
static void build_again(const char *options)
{
    static unsigned char *binary;
    size_t size = 0;
    cl_int result;

    check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL), "clGetProgramInfo");
    binary = malloc(size);
    check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL), "clGetProgramInfo");
    program = clCreateProgramWithBinary(context, 1, &device, &size, (const unsigned char **)&binary, NULL, &result);
    check(result, "clCreateProgramWithBinary");
    check(clBuildProgram(program, 1, &device, options, NULL, NULL), "clBuildProgram");
}

static cl_command_queue make_queue(void)
{
    cl_int result;
    const cl_command_queue_properties order =
        getenv("WATCHED_ORDER") != NULL ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0;
    const cl_command_queue queue = clCreateCommandQueue(context, device, order, &result);
    check(result, "clCreateCommandQueue");
    return queue;
}

static cl_mem make_memory(void *host)
{
    static int zero[1024];
    cl_int result;
    const cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE | (host ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR),
                                       sizeof zero, host ? host : zero, &result);
    check(result, "clCreateBuffer");
    return made;
}

/* So many groups of 16 work-items; 64 of them also in two or three dimensions. */
static void launch(cl_command_queue queue, const char *name, size_t groups)
{
    static const size_t locals[3][3] = {{16, 1, 1}, {4, 4, 1}, {4, 2, 2}}, shapes[3][3] = {{64}, {8, 8, 1}, {4, 8, 2}};
    const char *wanted = getenv("WATCHED_DIMENSIONS");
    const cl_uint dimensions = wanted != NULL ? (cl_uint)atoi(wanted) : 1;
    const size_t *const local = locals[dimensions - 1];
    size_t global[3] = {groups * local[0]};
    cl_int result;
    const cl_kernel kernel = clCreateKernel(program, name, &result);

    check(result, "clCreateKernel");
    check(clSetKernelArg(kernel, 0, sizeof memory, &memory), "clSetKernelArg");
    for (cl_uint i = 0; i < dimensions && dimensions > 1; ++i)
        global[i] = shapes[dimensions - 1][i] * local[i];
    check(clEnqueueNDRangeKernel(queue, kernel, dimensions, NULL, global, getenv("WATCHED_LOCAL") ? NULL : local,
                                 event ? 1 : 0, event ? &event : NULL, NULL),
          "clEnqueueNDRangeKernel");
    check(clFlush(queue), "clFlush");
}

static void say_ready(void)
{
    puts("ready");
    fflush(stdout);
}

/* What other threads of the program do. */
static void *set_event_late(void *nothing)
{
    sleep(1000000);
    clSetUserEventStatus(event, CL_COMPLETE);
    return nothing;
}

static void *set_flag_late(void *nothing)
{
    sleep(1000000);
    *flag = 1;
    return nothing;
}

static void *compute(void *nothing)
{
    for (volatile unsigned long i = 0; i < 1000000000000000UL; ++i)
        ;
    return nothing;
}

static void *wait_for_event(void *nothing)
{
    clWaitForEvents(1, &event);
    return nothing;
}

static void *finish(void *queue)
{
    exit(clFinish(queue));
}

static void begin(void *(*function)(void *), void *argument)
{
    pthread_t thread;
    check(pthread_create(&thread, NULL, function, argument), "pthread_create");
}

static int is(const char *mode, const char *name)
{
    return strcmp(mode, name) == 0;
}

int main(int count, char **arguments)
{
    const char *const mode = arguments[1];
    void *(*other)(void *) = NULL;
    const char *kernel = mode;
    size_t groups = 64;

    open_device(count > 2 ? arguments[2] : "");
    if (is(mode, "build"))
        return 0;
    if (getenv("WATCHED_BINARY") != NULL)
        build_again("");
    const cl_command_queue queue = make_queue();
    if (is(mode, "shared_flag") || is(mode, "flag_set_late")) {
        const int how = MAP_ANONYMOUS | (is(mode, "shared_flag") ? MAP_SHARED : MAP_PRIVATE);
        flag = mmap(NULL, 4096, PROT_READ | PROT_WRITE, how, -1, 0);
        kernel = "flag";
    }
    memory = make_memory(flag);
    if (is(mode, "flag_set_late"))
        other = set_flag_late;
    if (is(mode, "event_set_late") || is(mode, "event_never_set") || is(mode, "event_waited_for_twice")) {
        event = clCreateUserEvent(context, NULL);
        other = is(mode, "event_set_late")           ? set_event_late
                : is(mode, "event_waited_for_twice") ? wait_for_event
                                                     : NULL;
        kernel = "quick";
    }
    if (is(mode, "busy_beside")) {
        other = compute;
        kernel = "lock";
    }
    if (is(mode, "circle"))
        groups = 2;
    if (is(mode, "two_queues")) {
        launch(make_queue(), "lock", 64);
        kernel = "lock"; /* which of the two has the threads is for the driver to say */
    }
    if (is(mode, "idle"))
        kernel = "quick";
    if (is(mode, "read"))
        kernel = "lock";
    launch(queue, kernel, groups);
    if (other != NULL)
        begin(other, NULL);
    if (is(mode, "idle")) {
        check(clFinish(queue), "clFinish");
        say_ready();
        sleep(1000000);
    }
    if (getenv("WATCHED_LEAVES") != NULL)
        begin(finish, queue);
    say_ready();
    if (getenv("WATCHED_LEAVES") != NULL)
        pthread_exit(NULL);
    if (is(mode, "read"))
        return clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 4, &groups, 0, NULL, NULL);
    return clFinish(queue);
}
