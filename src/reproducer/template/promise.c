#include <CL/cl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "act.h"

enum { KEPT, BROKEN, NO_DEVICE, FAILED, DEADLINE_S = 20, TRIES = 5, LISTED = 16, TEXT = 512 };

static cl_int code;
static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_program program;
static cl_command_queue queue;
static cl_kernel kernel;
static char promised[TEXT], got[TEXT]; /* promised: the driver is at that */

#define CHECK(call) check(call, #call)
#define MAKE(object, call) ((object) = (call), check(code, #call))
#define SET(argument, value) CHECK(clSetKernelArg(kernel, argument, sizeof(value), &(value)))
#define WRITE(buffer, bytes, from) CHECK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, from, 0, NULL, NULL))
#define READ(buffer, bytes, to) CHECK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, to, 0, NULL, NULL))
#define PROMISED(...) (snprintf(promised, TEXT, __VA_ARGS__), alarm(DEADLINE_S))
#define GOT(...) (snprintf(got, TEXT, __VA_ARGS__) < 0) /* false */
#define UNDECIDED() (dprintf(1, "promised %s, saw too little of it: undecided\n", promised), _exit(FAILED), false)

static void check(cl_int outcome, const char *call)
{
    if (outcome == CL_SUCCESS)
        return;
    fprintf(stderr, "%.50s: OpenCL error %d\n", call, outcome);
    _exit(FAILED);
}

/* Takes the first device of which `part` is a part of a name, in any case. */
static bool find_device(const char *part)
{
    char owner[TEXT] = "", name[TEXT] = "", driver[TEXT] = "";
    cl_platform_id platforms[LISTED] = {NULL};

    clGetPlatformIDs(LISTED, platforms, NULL);
    for (int i = 0; i < LISTED && (platform = platforms[i]) != NULL; ++i) {
        cl_device_id devices[LISTED] = {NULL};
        clGetPlatformInfo(platform, CL_PLATFORM_NAME, TEXT, owner, NULL);
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, LISTED, devices, NULL);
        for (int j = 0; j < LISTED && (device = devices[j]) != NULL; ++j) {
            clGetDeviceInfo(device, CL_DEVICE_NAME, TEXT, name, NULL);
            clGetDeviceInfo(device, CL_DRIVER_VERSION, TEXT, driver, NULL);
            if (strcasestr(name, part) != NULL || strcasestr(owner, part) != NULL)
                return dprintf(1, "%s (%s, driver %s)\n", name, owner, driver) > 0;
        }
    }
    return false;
}

static cl_int build(void)
{
    MAKE(program, clCreateProgramWithSource(context, 1, (const char *[]){source}, NULL, &code));
    code = clBuildProgram(program, 1, &device, BUILD_OPTIONS, NULL, NULL);
    if (code == CL_SUCCESS)
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
    code = clEnqueueNDRangeKernel(queue, kernel, 3, NULL, global, local, 0, NULL, NULL);
    return code == CL_SUCCESS ? code = clFinish(queue) : code;
}

#include "promise_loop.inc"

/* The driver crashed, took too long, or ended the process. */
static void on_signal(int number)
{
    const char *const end = number == SIGALRM ? ", got no end in time: broken\n" : ", got a crash: broken\n";
    if (promised[0] != '\0' && write(1, "promised ", 9) > 0 && write(1, promised, strlen(promised)) > 0)
        _exit(write(1, end, strlen(end)) > 0 ? BROKEN : FAILED);
    _exit(FAILED);
}

int main(int count, char **arguments)
{
    for (int i = 0; i < 3; ++i)
        signal((int[]){SIGALRM, SIGSEGV, SIGABRT}[i], on_signal);
    alarm(DEADLINE_S);
    if (!find_device(count > 1 ? arguments[1] : DEVICE))
        return fputs("no such device\n", stderr) < 0 ? FAILED : NO_DEVICE;
    MAKE(context, clCreateContext(NULL, 1, &device, NULL, NULL, &code));
    MAKE(queue, clCreateCommandQueue(context, device, 0, &code));
    const bool kept = is_kept();
    dprintf(1, "promised %s, got %s: %s\n", promised, kept ? "it" : got, kept ? "kept" : "broken");
    _exit(kept ? KEPT : BROKEN); /* a driver that failed may hang in a clean-up */
}
