#include <CL/cl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "act.h"

#if OF_PROGRAM > 0
enum { KEPT, BROKEN, NO_DEVICE, UNDECIDED, PATIENCE_S = 120, LISTED = 16, TEXT = 512 };
#else
enum { KEPT, BROKEN, NO_DEVICE, UNDECIDED, PATIENCE_S = 20, TRIES = OF_TRIES, LISTED = 16, TEXT = 512 };
#endif

static cl_int code;
static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_program program;
static cl_command_queue queue;
static cl_kernel kernel;
static cl_command_queue queues[2];
static cl_event users[3]; /* user events */
static cl_event events[12];
static int tried;                                      /* how often, before this try */
static char promised[TEXT] = "nothing yet", got[TEXT]; /* promised: the driver is at that */
static const char *volatile entered = "";              /* " in " and the call that has not returned */
#if OF_ENDS > 0
static volatile sig_atomic_t late; /* it has not gone on since another process was asked */
static const char *part;           /* of a device's or platform's name */
#endif

#define CALL(call) (entered = " in " #call, code = (call), entered = "", code)
#define CHECK(call) (entered = " in " #call, check(call, #call, UNDECIDED))
#define TAKE(object, call) (entered = " in " #call, (object) = (call), entered = "")
#define MAKE(object, call) (entered = " in " #call, (object) = (call), check(code, #call, UNDECIDED))
#define BREAKS() (code > CL_MEM_OBJECT_ALLOCATION_FAILURE || code < CL_OUT_OF_HOST_MEMORY ? BROKEN : UNDECIDED)
#define MUST(call) (entered = " in " #call, code = (call), check(code, #call, BREAKS())) /* unless memory is missing */
#define MUST_MAKE(object, call) (entered = " in " #call, (object) = (call), check(code, #call, BREAKS()))
#define SET(argument, value) CHECK(clSetKernelArg(kernel, argument, sizeof(value), &(value)))
#define WRITE(buffer, bytes, from) CHECK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, from, 0, NULL, NULL))
#define READ(from, bytes, to) (STEP(), CHECK(clEnqueueReadBuffer(queue, from, CL_TRUE, 0, bytes, to, 0, NULL, NULL)))
static void on_signal(int number); /* a compiler of LLVM's puts handlers of its own in its place */
#if OF_ENDS > 0
#define STEP() (late = 0, signal(SIGABRT, on_signal), alarm(PATIENCE_S)) /* it goes on */
#else
#define STEP() (signal(SIGABRT, on_signal), alarm(PATIENCE_S)) /* it goes on */
#endif
#define PROMISED(...) (snprintf(promised, TEXT, __VA_ARGS__), STEP())
#define GOT(...) (snprintf(got, TEXT, __VA_ARGS__) < 0) /* false */
#define TOO_LITTLE() (dprintf(1, "promised %s, saw too little of it: undecided\n", promised), _exit(UNDECIDED), false)

static void check(cl_int outcome, const char *call, int end)
{
    if ((entered = "", outcome) != CL_SUCCESS)
        dprintf(2, "%.50s: OpenCL error %d: %s\n", call, outcome, end == BROKEN ? "broken" : "undecided"), _exit(end);
}

/* Takes and prints the first device of which `wanted` is a part of a name, in any case; "--list" prints them all. */
static void find_device(const char *wanted)
{
    char owner[TEXT] = "", version[TEXT] = "", name[TEXT] = "", driver[TEXT] = "";
    const bool help = strcmp(wanted, "-h") == 0 || strcmp(wanted, "--help") == 0;
    const bool all = (help && dprintf(2, "usage: promise [PART OF A NAME]\n")) || strcmp(wanted, "--list") == 0;
    cl_platform_id platforms[LISTED] = {NULL};

    clGetPlatformIDs(LISTED, platforms, NULL);
    for (int i = 0; i < LISTED && (platform = platforms[i]) != NULL; ++i) {
        cl_device_id devices[LISTED] = {NULL};
        clGetPlatformInfo(platform, CL_PLATFORM_NAME, TEXT, owner, NULL);
        clGetPlatformInfo(platform, CL_PLATFORM_VERSION, TEXT, version, NULL);
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, LISTED, devices, NULL);
        for (int j = 0; j < LISTED && (device = devices[j]) != NULL; ++j) {
            clGetDeviceInfo(device, CL_DEVICE_NAME, TEXT, name, NULL);
            clGetDeviceInfo(device, CL_DRIVER_VERSION, TEXT, driver, NULL);
            const bool meant = strcasestr(name, wanted) || strcasestr(owner, wanted) || strcasestr(version, wanted);
            if ((all || meant) && dprintf(1, "%s (%s, %s, driver %s)\n", name, owner, version, driver) > 0 && !all)
                return;
        }
    }
    _exit(!all && dprintf(2, "no device or platform has \"%s\" in its name; see --list\n", wanted) ? NO_DEVICE : KEPT);
}

static cl_int build(void)
{
    MAKE(program, clCreateProgramWithSource(context, 1, (const char *[]){source}, NULL, &code));
    if (CALL(clBuildProgram(program, 1, &device, BUILD_OPTIONS, NULL, NULL)) == CL_SUCCESS)
        MAKE(kernel, clCreateKernel(program, OF_KERNEL, &code));
    return code;
}

/* A buffer that is an argument of the kernel, of zeros. */
static cl_mem make_buffer(cl_uint argument, size_t bytes)
{
    void *zeros = calloc(1, bytes);
    cl_mem buffer;

    MAKE(buffer, clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, bytes, zeros, &code));
    free(zeros);
    CHECK(clSetKernelArg(kernel, argument, sizeof(cl_mem), &buffer));
    return buffer;
}

/* Launches the kernel, and returns when it has ended. */
static cl_int run(const size_t global[3], const size_t local[3])
{
    const cl_int enqueued = CALL(clEnqueueNDRangeKernel(queue, kernel, 3, NULL, global, local, 0, NULL, NULL));
    return enqueued == CL_SUCCESS ? CALL(clFinish(queue)) : enqueued;
}

static cl_ulong clock_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (cl_ulong)now.tv_sec * 1000000000 + (cl_ulong)now.tv_nsec;
}

/* How long this thread has had a processor. */
static cl_ulong clock_own_ns(void)
{
    struct timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (cl_ulong)time.tv_sec * 1000000000 + (cl_ulong)time.tv_nsec;
}

#include "promise_loop.inc"

#if OF_ENDS > 0
static pid_t other;

/* The other process: launches that only end. */
static void launch_many(void)
{
    cl_event event;

    MAKE(program, clCreateProgramWithSource(context, 1, (const char *[]){"kernel void ends(void) {}"}, NULL, &code));
    CHECK(clBuildProgram(program, 1, &device, "", NULL, NULL));
    MAKE(kernel, clCreateKernel(program, "ends", &code));
    for (int i = 0; i < 3000; ++i) {
        CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &(size_t){1}, NULL, 0, NULL, &event));
        CHECK(clFlush(queue));
        for (code = CL_QUEUED; code > CL_COMPLETE; nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL))
            clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof code, &code, NULL);
        check(code, "a launch", UNDECIDED);
    }
    _exit(KEPT);
}
#endif

/* A crash, or an exit of the whole process, is the driver's. That there is no end may be for want of time. */
static void on_signal(int number)
{
#if OF_ENDS > 0
    if (other > 0)
        kill(other, SIGKILL);
#endif
    const bool open = number == SIGALRM || strcmp(promised, "nothing yet") == 0;
    const char *const what = open || number == SIGCHLD ? ", got no end" : ", got a crash or an exit";
    const char *const beside = number == SIGCHLD ? " while 3000 launches of another process ended" : "";
#if OF_PROGRAM > 0
    const char *const parts[] = {"wanted ", promised, what, entered, beside, open ? ": undecided\n" : ": failed\n"};
#else
    const char *const parts[] = {"promised ", promised, what, entered, beside, open ? ": undecided\n" : ": broken\n"};
#endif
    for (size_t i = 0; i < 6 && write(1, parts[i], strlen(parts[i])) >= 0; ++i)
        ;
    _exit(open ? UNDECIDED : BROKEN);
}
#if OF_ENDS > 0

/* An end is what is promised, so it is broken if the device and the machine have time for others. */
static void on_delay(int number)
{
    int status = 1;

    if (number == SIGALRM) {
        STEP();
        late = 1;
        signal(SIGALRM, on_signal);
        signal(SIGCHLD, on_delay);
        if ((other = vfork()) == 0)
            _exit(execl("/proc/self/exe", "promise", part, "many", NULL));
    } else if (waitpid(other, &status, WNOHANG) == other && status == 0 && late == 1) {
        on_signal(SIGCHLD);
    }
}
#endif

int main(int count, char **arguments)
{
#if OF_SET > 0
    SET_VARIABLES();
#endif
#if OF_LEAVES > 0
    signal(SIGALRM, on_signal), signal(SIGSEGV, on_signal), signal(SIGBUS, on_signal), STEP();
#else
    signal(SIGALRM, on_signal), signal(SIGSEGV, on_signal), signal(SIGBUS, on_signal), atexit(abort), STEP();
#endif
#if OF_ENDS > 0
    find_device(part = count > 1 ? arguments[1] : DEVICE);
#else
    find_device(count > 1 ? arguments[1] : DEVICE);
#endif
    MAKE(context, clCreateContext(NULL, 1, &device, NULL, NULL, &code));
    MAKE(queue, clCreateCommandQueue(context, device, 0, &code));
#if OF_ENDS > 0
    if (count > 2 && strcmp(arguments[2], "many") == 0)
        launch_many();
    signal(SIGALRM, on_delay);
#endif
    const bool kept = is_kept();
#if OF_PROGRAM > 0
    dprintf(1, "wanted %s, got %s: %s\n", promised, kept ? "it" : got, kept ? "works" : "failed");
#else
    dprintf(1, "promised %s, got %s: %s\n", promised, kept ? "it" : got, kept ? "kept" : "broken");
#endif
    _exit(kept ? KEPT : BROKEN); /* a driver that failed may hang in a clean-up */
}
