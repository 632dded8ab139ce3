/*
 * A program as others write it, which knows nothing of us: `watched MODE [DRIVER]` does one thing with OpenCL, on
 * the first device of a platform whose name has DRIVER in it. It prints what it has computed.
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const char source[] = "kernel void add(global int *a, int n) { a[get_global_id(0)] += n; }\n"
                             "kernel void spin(global volatile int *a, int n) { a[1000] = 1; while (a[0] != n) ; }\n"
                             "kernel void slow(global volatile int *a, int n) { while (a[0] != n) a[1] = a[1] + 1; }\n";

enum { ITEMS = 64 };

static cl_context context;
static cl_device_id device;
static cl_command_queue queue, other;
static cl_program program;
static cl_mem memory;
static int *shared; /* what the kernels spin on */

static void check(cl_int status, const char *what)
{
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "%s: %d\n", what, status);
    exit(9);
}

static cl_platform_id choose(const char *driver)
{
    cl_platform_id platforms[16];
    cl_uint count = 0;
    char name[256];

    check(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
    for (cl_uint i = 0; i < count; ++i) {
        check(clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL), "clGetPlatformInfo");
        if (strstr(name, driver) != NULL && clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) == 0)
            return platforms[i];
    }
    exit(77);
}

static void begin(const char *driver)
{
    const char *text = source;
    cl_int status;
    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)choose(driver), 0};

    shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    context = clCreateContext(properties, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    other = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
    check(status, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, 4096, shared, &status);
    check(status, "clCreateBuffer");
}

static void launch(cl_command_queue to, const char *name, int number, const cl_event *after, cl_event *event)
{
    const size_t global = ITEMS, local = ITEMS / 2;
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, name, &status);

    check(status, "clCreateKernel");
    check(clSetKernelArg(kernel, 0, sizeof memory, &memory), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof number, &number), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(to, kernel, 1, NULL, &global, &local, after != NULL, after, event), name);
    check(clReleaseKernel(kernel), "clReleaseKernel");
}

static void end(void)
{
    clReleaseMemObject(memory);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseCommandQueue(other);
    clReleaseContext(context);
}

/* --- sound ones --- */

static int sum(int launches)
{
    int values[ITEMS];

    for (int i = 0; i < launches; ++i)
        launch(queue, "add", i, NULL, NULL);
    check(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL), "clEnqueueReadBuffer");
    printf("%d\n", values[ITEMS - 1]);
    end();
    return 0;
}

static void *work(void *none)
{
    for (int i = 0; i < 200; ++i) {
        cl_event event;
        launch(i % 2 == 0 ? queue : other, "add", 1, NULL, &event);
        if (i % 7 == 0)
            check(clWaitForEvents(1, &event), "clWaitForEvents");
        clReleaseEvent(event);
    }
    return none;
}

static int threads(void)
{
    pthread_t workers[4];

    for (int i = 0; i < 4; ++i)
        pthread_create(&workers[i], NULL, work, NULL);
    for (int i = 0; i < 4; ++i)
        pthread_join(workers[i], NULL);
    check(clFinish(queue), "clFinish");
    check(clFinish(other), "clFinish");
    puts("done");
    end();
    return 3;
}

/* In a queue that is out of order: the first launch goes on once those behind it have ended. */
static int apart(void)
{
    cl_event event;
    cl_int status;
    cl_command_queue any = clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &status);

    check(status, "clCreateCommandQueue");
    launch(any, "spin", -1, NULL, NULL);
    check(clFlush(any), "clFlush");
    clReleaseMemObject(memory); /* the command has it */
    memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &status);
    check(status, "clCreateBuffer");
    launch(any, "add", 1, NULL, &event);
    for (int i = 0; i < 100; ++i) {
        check(clWaitForEvents(1, &event), "clWaitForEvents");
        clReleaseEvent(event);
        launch(any, "add", 1, NULL, &event);
    }
    __atomic_store_n(shared, -1, __ATOMIC_SEQ_CST);
    check(clFinish(any), "clFinish");
    puts("ended");
    clReleaseEvent(event);
    clReleaseCommandQueue(any);
    end();
    return 0;
}

static void CL_CALLBACK leave(cl_event event, cl_int status, void *data)
{
    (void)event;
    (void)status;
    (void)data;
    _Exit(5);
}

static int exit_in_callback(void)
{
    cl_event event;

    launch(queue, "add", 1, NULL, &event);
    check(clSetEventCallback(event, CL_COMPLETE, leave, NULL), "clSetEventCallback");
    clFlush(queue);
    pause();
    return 0;
}

/* A child without a page of its own, and one that has: it calls exec. */
static int fork_and_exec(char **words)
{
    int status;

    launch(queue, "add", 1, NULL, NULL);
    check(clFinish(queue), "clFinish");
    if (fork() == 0)
        _exit(4);
    wait(&status);
    printf("%d\n", WEXITSTATUS(status));
    fflush(stdout);
    if (fork() == 0) {
        execl("/proc/self/exe", words[0], "sum", words[2], (char *)NULL);
        _exit(9);
    }
    wait(&status);
    end();
    return WEXITSTATUS(status);
}

/* --- those that stall --- */

static void *release_later(void *event)
{
    getchar(); /* until standard input ends */
    check(clSetUserEventStatus(event, CL_COMPLETE), "clSetUserEventStatus");
    return NULL;
}

static int user_event(bool later)
{
    cl_int status;
    pthread_t thread;
    cl_event gate = clCreateUserEvent(context, &status);

    check(status, "clCreateUserEvent");
    launch(queue, "add", 1, &gate, NULL);
    if (later)
        pthread_create(&thread, NULL, release_later, gate);
    return clFinish(queue) != CL_SUCCESS;
}

static void *end_by_user_event(void *none)
{
    (void)none;
    exit(user_event(false));
}

/* The first thread ends before the other ones do. */
static int user_event_alone(void)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, end_by_user_event, NULL) != 0)
        return 1;
    pthread_exit(NULL);
}

/* A child whose first thread ends, and that ends only if it is killed; its parent ends when it is told to. */
static int user_event_of_a_child(char **words)
{
    int status;

    if (fork() == 0) {
        signal(SIGTERM, SIG_IGN);
        execl("/proc/self/exe", words[0], "user-event-alone", words[2], (char *)NULL);
        _exit(9);
    }
    wait(&status);
    return WEXITSTATUS(status);
}

static void *end_slow(void *none)
{
    getchar();
    for (;; usleep(1000)) /* other kernels change it */
        __atomic_store_n(shared, -1, __ATOMIC_SEQ_CST);
    return none;
}

/* A kernel that ends when standard input does waits for an event that has the handle of one that was let go unset. */
static int stale(void)
{
    pthread_t thread;
    cl_event event = NULL, gate = NULL;

    for (int i = 0; i < 1000 && (event == NULL || event != gate); ++i) {
        if (event != NULL)
            clReleaseEvent(event);
        gate = clCreateUserEvent(context, NULL);
        clReleaseEvent(gate);
        launch(queue, "add", 1, NULL, &event);
        check(clFinish(queue), "clFinish");
    }
    if (event != gate)
        return 77;
    pthread_create(&thread, NULL, end_slow, NULL);
    launch(other, "slow", -1, &event, NULL);
    if (clFinish(other) != CL_SUCCESS)
        return 1;
    puts("ended");
    return 0;
}

/* An event of a queue that nobody flushes; whether that stalls is the driver's. */
static int unflushed(void)
{
    cl_event event;

    launch(other, "add", 1, NULL, &event);
    launch(queue, "add", 1, &event, NULL);
    return clFinish(queue) != CL_SUCCESS;
}

/* The host waits for its own callback. */
static void CL_CALLBACK finish(cl_event event, cl_int status, void *data)
{
    (void)event;
    (void)status;
    clWaitForEvents(1, data);
}

static int callback(void)
{
    cl_int status;
    cl_event event;
    static cl_event gate;

    gate = clCreateUserEvent(context, &status);
    launch(queue, "add", 1, NULL, &event);
    check(clSetEventCallback(event, CL_COMPLETE, finish, &gate), "clSetEventCallback");
    launch(queue, "add", 1, &gate, NULL);
    return clFinish(queue) != CL_SUCCESS;
}

static int spin(const char *name, bool leaves)
{
    launch(queue, "add", 1, NULL, NULL);
    launch(queue, name, -1, NULL, NULL);
    launch(queue, "add", 1, NULL, NULL);
    check(clFlush(queue), "clFlush");
    while (leaves && __atomic_load_n(&shared[1000], __ATOMIC_SEQ_CST) == 0)
        usleep(1000); /* until it runs: while it is built, a driver may crash at the exit */
    if (leaves)
        return 6;
    return clFinish(queue) != CL_SUCCESS;
}

/* A kernel that ends when standard input does. */
static int slow(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, end_slow, NULL);
    if (spin("slow", false) != 0)
        return 1;
    puts("ended");
    return 0;
}

/* Calls with nothing in place of an object, each of which a loader or a driver refuses. */
static int refused(void)
{
    const size_t one = 1;
    const cl_event none = NULL;
    cl_int status = 0, number = 0;
    void *made[4];

    made[0] = clCreateKernel(NULL, "add", &status);
    printf("%d ", status);
    made[1] = clCreateBuffer(NULL, 0, 4, NULL, &status);
    printf("%d ", status);
    made[2] = clCreateCommandQueue(NULL, device, 0, &status);
    printf("%d ", status);
    made[3] = clCreateUserEvent(NULL, &status);
    printf("%d ", status);
    for (int i = 0; i < 4; ++i)
        number += made[i] != NULL;
    printf("%d %d %d %d ", number, clBuildProgram(NULL, 0, NULL, "", NULL, NULL),
           clSetKernelArg(NULL, 0, sizeof number, &number), clReleaseMemObject(NULL));
    printf("%d %d %d %d ", clEnqueueNDRangeKernel(NULL, NULL, 1, NULL, &one, NULL, 0, NULL, NULL),
           clEnqueueReadBuffer(NULL, memory, CL_TRUE, 0, sizeof number, &number, 0, NULL, NULL), clFlush(NULL),
           clFinish(NULL));
    printf("%d %d %d\n", clWaitForEvents(1, &none), clSetUserEventStatus(NULL, 0),
           clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof number, &number, 1, NULL, NULL));
    return 0;
}

int main(int count, char **words)
{
    const char *mode = count > 1 ? words[1] : "sum";

    if (strcmp(mode, "nothing") == 0)
        return 0;
    if (strcmp(mode, "die") == 0)
        raise(SIGKILL);
    if (strcmp(mode, "user-event-child") == 0)
        return user_event_of_a_child(words);
    begin(count > 2 ? words[2] : "Portable");
    if (strcmp(mode, "sum") == 0)
        return sum(500);
    if (strcmp(mode, "refused") == 0)
        return refused();
    if (strcmp(mode, "many") == 0)
        return sum(5000);
    if (strcmp(mode, "threads") == 0)
        return threads();
    if (strcmp(mode, "apart") == 0)
        return apart();
    if (strcmp(mode, "exit-in-callback") == 0)
        return exit_in_callback();
    if (strcmp(mode, "fork") == 0)
        return fork_and_exec(words);
    if (strcmp(mode, "user-event") == 0)
        return user_event(false);
    if (strcmp(mode, "user-event-alone") == 0)
        return user_event_alone();
    if (strcmp(mode, "later") == 0)
        return user_event(true);
    if (strcmp(mode, "stale") == 0)
        return stale();
    if (strcmp(mode, "unflushed") == 0)
        return unflushed();
    if (strcmp(mode, "callback") == 0)
        return callback();
    if (strcmp(mode, "spin") == 0)
        return spin("spin", false);
    if (strcmp(mode, "leave") == 0)
        return spin("spin", true);
    return strcmp(mode, "slow") == 0 ? slow() : 2;
}
