/*
 * Stalls of the host, and programs that are only slow: host MODE [DRIVER [LIBRARY]], with a library that is loaded
 * first. Those that are slow end when standard input does, whoever waits for what.
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

static const char source[] = "kernel void add(global int *a, int n) { a[get_global_id(0)] += n; }\n"
                             "kernel void wait(global volatile int *a, int n) { while (a[0] != n) a[1] = a[1] + 1; }\n";

static cl_context context;
static cl_device_id device;
static cl_command_queue queue, other;
static cl_program program;
static cl_mem memory;
static cl_event gate;
static int *shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void begin(const char *driver)
{
    cl_platform_id platforms[16];
    const char *text = source;
    cl_uint count = 0;
    char name[256];

    clGetPlatformIDs(16, platforms, &count);
    for (cl_uint i = 0; i < count && device == NULL; ++i)
        if (clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL) == 0 &&
            strstr(name, driver) != NULL)
            clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    if (device == NULL)
        exit(77);
    shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    queue = clCreateCommandQueue(context, device, 0, NULL);
    other = clCreateCommandQueue(context, device, 0, NULL);
    program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    clBuildProgram(program, 1, &device, "", NULL, NULL);
    memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, 4096, shared, NULL);
    gate = clCreateUserEvent(context, NULL);
}

static void launch(cl_command_queue to, const char *name, const cl_event *after, cl_event *event)
{
    const size_t global = 64, local = 32;
    const int number = strcmp(name, "wait") == 0 ? -1 : 1;
    cl_kernel kernel = clCreateKernel(program, name, NULL);

    clSetKernelArg(kernel, 0, sizeof(cl_mem), (void *)&memory);
    clSetKernelArg(kernel, 1, sizeof number, &number);
    if (clEnqueueNDRangeKernel(to, kernel, 1, NULL, &global, &local, after != NULL, after, event) != CL_SUCCESS)
        exit(9);
    clReleaseKernel(kernel);
}

static void say(void)
{
    puts("launched");
    fflush(stdout);
}

/* --- stalls --- */

static void in_finish(void)
{
    launch(queue, "add", &gate, NULL);
    clFinish(queue);
}

static void in_wait(void)
{
    cl_event event;

    launch(queue, "add", &gate, &event);
    clFlush(queue);
    clWaitForEvents(1, &event);
}

static void on_the_gate(void)
{
    clWaitForEvents(1, &gate);
}

static void in_read(void)
{
    int value;

    clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof value, &value, 1, &gate, NULL);
}

static void in_map(void)
{
    launch(queue, "add", &gate, NULL);
    clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ, 0, 4096, 0, NULL, NULL, NULL);
}

static void behind_a_marker(void)
{
    clEnqueueMarkerWithWaitList(queue, 1, &gate, NULL);
    launch(queue, "add", NULL, NULL);
    clFinish(queue);
}

static void in_two_queues(void)
{
    cl_event event;

    launch(other, "add", &gate, &event);
    clFlush(other);
    launch(queue, "add", &event, NULL);
    clFinish(queue);
}

static void *set_under_lock(void *none)
{
    pthread_mutex_lock(&lock);
    clSetUserEventStatus(gate, CL_COMPLETE);
    pthread_mutex_unlock(&lock);
    return none;
}

static void under_a_lock(void)
{
    pthread_t thread;

    pthread_mutex_lock(&lock);
    pthread_create(&thread, NULL, set_under_lock, NULL);
    in_finish();
    pthread_mutex_unlock(&lock);
}

static void CL_CALLBACK set_it(cl_event event, cl_int status, void *data)
{
    (void)event;
    (void)status;
    (void)data;
    clSetUserEventStatus(gate, CL_COMPLETE);
}

/* It would be set once what waits for it is complete. */
static void by_its_own_callback(void)
{
    cl_event event;

    launch(queue, "add", &gate, &event);
    clSetEventCallback(event, CL_COMPLETE, set_it, NULL);
    clFinish(queue);
}

static void *wait_for_main(void *main_thread)
{
    pthread_mutex_lock(&second);
    pthread_join(*(pthread_t *)main_thread, NULL);
    clSetUserEventStatus(gate, CL_COMPLETE);
    return NULL;
}

static void by_who_joins(void)
{
    static pthread_t self;
    pthread_t thread;

    self = pthread_self();
    pthread_create(&thread, NULL, wait_for_main, &self);
    in_wait();
}

/* --- those that are slow --- */

static void *when_input_ends(void *none)
{
    getchar();
    for (;; usleep(1000)) {
        __atomic_store_n(shared, -1, __ATOMIC_SEQ_CST);
        clSetUserEventStatus(gate, CL_COMPLETE);
        pthread_mutex_lock(&lock);
        pthread_cond_broadcast(&condition);
        pthread_mutex_unlock(&lock);
    }
    return none;
}

static void kernel_that_counts(void)
{
    launch(queue, "wait", NULL, NULL);
    clFinish(queue);
}

static void kernel_out_of_sight(void)
{
    prctl(PR_SET_DUMPABLE, 0);
    kernel_that_counts();
}

static void kernel_that_is_polled(void)
{
    cl_event event;
    cl_int status = CL_QUEUED;

    launch(queue, "wait", NULL, &event);
    for (clFlush(queue); status > CL_COMPLETE; usleep(1000))
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
}

static void CL_CALLBACK wake(cl_event event, cl_int status, void *data)
{
    (void)event;
    (void)status;
    pthread_mutex_lock(&lock);
    *(int *)data = 1;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&lock);
}

static void kernel_with_a_callback(void)
{
    static int woken;
    cl_event event;

    launch(queue, "wait", NULL, &event);
    clSetEventCallback(event, CL_COMPLETE, wake, &woken);
    clFlush(queue);
    pthread_mutex_lock(&lock);
    while (!woken)
        pthread_cond_wait(&condition, &lock);
    pthread_mutex_unlock(&lock);
}

static void kernel_behind_kernels(void)
{
    for (int i = 0; i < 8; ++i)
        launch(i % 2 ? other : queue, i == 3 ? "wait" : "add", NULL, NULL);
    clFlush(queue);
    clFinish(other);
    clFinish(queue);
}

static void host_that_sleeps(void)
{
    launch(queue, "add", &gate, NULL);
    clFlush(queue);
    while (__atomic_load_n(shared, __ATOMIC_SEQ_CST) != -1)
        usleep(1000);
    clFinish(queue);
}

static const struct mode {
    const char *name;
    void (*act)(void);
    int slow;
} modes[] = {
    {"in_finish", in_finish, 0},
    {"in_wait", in_wait, 0},
    {"on_the_gate", on_the_gate, 0},
    {"in_read", in_read, 0},
    {"in_map", in_map, 0},
    {"behind_a_marker", behind_a_marker, 0},
    {"in_two_queues", in_two_queues, 0},
    {"under_a_lock", under_a_lock, 0},
    {"by_its_own_callback", by_its_own_callback, 0},
    {"by_who_joins", by_who_joins, 0},
    {"kernel_that_counts", kernel_that_counts, 1},
    {"kernel_out_of_sight", kernel_out_of_sight, 1},
    {"kernel_that_is_polled", kernel_that_is_polled, 1},
    {"kernel_with_a_callback", kernel_with_a_callback, 1},
    {"kernel_behind_kernels", kernel_behind_kernels, 1},
    {"event_set_later", in_finish, 1},
    {"event_waited_for", in_wait, 1},
    {"gate_waited_for", on_the_gate, 1},
    {"read_behind_an_event", in_read, 1},
    {"two_queues_and_an_event", in_two_queues, 1},
    {"host_that_sleeps", host_that_sleeps, 1},
};

int main(int count, char **words)
{
    pthread_t thread;

    if (count > 3 && dlopen(words[3], RTLD_NOW) == NULL)
        return 3;
    begin(count > 2 ? words[2] : "Portable");
    for (size_t i = 0; count > 1 && i < sizeof modes / sizeof *modes; ++i) {
        if (strcmp(modes[i].name, words[1]) != 0)
            continue;
        if (modes[i].slow)
            pthread_create(&thread, NULL, when_input_ends, NULL);
        say();
        modes[i].act();
        fputs("ended\n", stdout);
        fflush(stdout);
        _exit(0);
    }
    return 2;
}
